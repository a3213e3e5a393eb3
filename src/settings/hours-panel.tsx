import { Button, chakra, Flex, Text } from '@chakra-ui/react';
import { Link } from 'react-router-dom';
import { placeOf } from '../../server/contract/times.ts';
import type { SiteConfig } from '../../site.defaults.ts';
import { OwnerAlert } from '../admin/alert.tsx';
import { Note } from '../admin/panel.tsx';
import { trpc } from '../api/trpc.ts';

/** The hours for calls as they are; they are changed in the site’s editor. */
export function HoursPanel() {
  const { data, error } = trpc.site.draft.useQuery();
  if (error) {
    return <OwnerAlert role="alert">Could not load the hours. Reload the page.</OwnerAlert>;
  }
  if (!data) return null;
  const { calls } = data.document as Pick<SiteConfig, 'calls'>;
  return (
    <>
      <Days aria-label="Hours for calls">
        {days.map((day) => (
          <li key={day}>
            <b>{`${day.charAt(0).toUpperCase()}${day.slice(1)}`}</b>
            <Text as="span" color={calls.hours[day].length > 0 ? undefined : 'fg.muted'}>
              {calls.hours[day].map((range) => range.replace('-', '–')).join(', ') || 'Closed'}
            </Text>
          </li>
        ))}
      </Days>
      <Text mt="4">
        Times are in <strong>{placeOf(calls.timeZone)}</strong>.
      </Text>
      {data.isReadOnly ? (
        <Note>
          Change them in <code>site.config.ts</code>, which <code>SITE_CONTENT</code> pins.
        </Note>
      ) : (
        <Flex wrap="wrap" gap="3" mt="5">
          {places.map(([label, path]) => (
            <Button key={path} asChild minH="11">
              <Link to={`/analytics/site?field=${path}`}>{label}</Link>
            </Button>
          ))}
        </Flex>
      )}
    </>
  );
}

const days = [
  ...(['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const),
];

/** What opens which field of the editor. */
const places = [
  ['Change the hours', 'calls.hours'],
  ['Add days off', 'calls.closed'],
  ['Other hours on a day', 'calls.special'],
  ['Change the calls', 'calls.strategyCall'],
] as const;

const Days = chakra('ul', {
  base: {
    maxW: '34rem',
    mt: '3',
    '& li': {
      display: 'grid',
      gridTemplateColumns: '8rem 1fr',
      alignItems: 'center',
      minH: '11',
      borderBottom: '1px solid {colors.hairline}',
    },
    '& b': { fontWeight: '600' },
  },
});
