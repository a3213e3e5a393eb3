import { Box, Button, Flex, Span } from '@chakra-ui/react';
import type { FreeTimesVariables } from '../../../server/contract/pages.ts';
import { Select } from '../../ui/select.tsx';
import { words } from '../../ui/site-words.ts';
import { templateOf } from '../../ui/template.tsx';

const copy = words.bookingPages;

const { value, If, Unless } = templateOf<FreeTimesVariables>();

/** The choice of a time zone, which "Change" opens. */
export const ZoneForm = () => (
  <If name="hasZones">
    <Flex asChild gap="3" align="end" wrap="wrap" mb="6">
      <form>
        <Box as="label">
          <Span display="block" mb="1" fontWeight="600">
            {copy.pickZone}
          </Span>
          <Select name="timeZone">
            <If name="zones">
              <If name="isChosen">
                <option selected>{value('zone')}</option>
              </If>
              <Unless name="isChosen">
                <option>{value('zone')}</option>
              </Unless>
            </If>
          </Select>
        </Box>
        <Button type="submit">{copy.showTimes}</Button>
      </form>
    </Flex>
  </If>
);
