/** How long a call is, what is free around it, and where it is. */
import { Button, Grid, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { isGroup, valueAt } from '../../server/contract/document-changes.ts';
import { pluralize } from '../../server/contract/numbers.ts';
import { isPlaceholder } from '../../site.placeholder.ts';
import { AddressTest } from '../editor/address-test.tsx';
import { controlId, useEditor } from '../editor/context.ts';
import { FieldFrame } from '../editor/field-frame.tsx';
import { PlaceField } from '../editor/place-field.tsx';
import { Select } from '../ui/select.tsx';
import { Part } from './hours-part.tsx';

const calls = { strategyCall: 'Strategy call', inboxReview: 'Inbox review' } as const;

const others = { strategyCall: 'inboxReview', inboxReview: 'strategyCall' } as const;

/** The names of the fields here. */
export const callLabels: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(calls).flatMap((call) => [
    [`calls.${call}.minutes`, 'Length'],
    [`calls.${call}.gap`, 'Free before and after'],
    [`calls.${call}.place`, 'Your video link'],
  ]),
);

const lengths = [15, 20, 30, 45, 60, 90, 120];
const gaps = ['0 minutes', '5 minutes', '10 minutes', '15 minutes', '30 minutes', '1 hour'];

export function CallPart() {
  const { draft, state } = useEditor();
  const [call, setCall] = useState<keyof typeof calls>('strategyCall');
  const path = `calls.${call}`;
  const value = valueAt(state.document, path);
  const elsewhere = String(valueAt(state.document, `schedulers.${call}`) ?? '');
  const { minutes, step, gap } = isGroup(value) ? value : {};
  return (
    <Part
      name="Call"
      title={calls[call]}
      aside={
        <Button
          type="button"
          variant="plain"
          minH="11"
          ms="auto"
          onClick={() => setCall(others[call])}
        >
          {calls[others[call]]}
        </Button>
      }
    >
      <Grid templateColumns={{ base: 'minmax(0, 1fr)', sm: '1fr 1fr' }} columnGap="4">
        <SelectField
          path={`${path}.minutes`}
          value={String(minutes)}
          options={[...new Set([...lengths, Number(minutes)])]
            .sort((a, b) => a - b)
            .map((one) => [String(one), pluralize(one, 'minute')])}
          onChange={(to) => {
            // Starts that are offered stay one call apart where they were.
            const next = { minutes: Number(to), step: step === minutes ? Number(to) : step };
            draft.edit(path, { ...(isGroup(value) && value), ...next }, { isWhole: true });
          }}
        />
        <SelectField
          path={`${path}.gap`}
          value={String(gap)}
          options={[...new Set([...gaps, String(gap)])].map((one) => [
            one,
            one === '0 minutes' ? 'Nothing' : one,
          ])}
          onChange={(to) => draft.edit(`${path}.gap`, to, { isWhole: true })}
        />
      </Grid>
      {!isPlaceholder(elsewhere) && (
        <Text my="2" fontWeight="600" overflowWrap="anywhere">
          {`Visitors book this call at ${elsewhere}, with the hours there.`}
        </Text>
      )}
      <PlaceField
        key={call}
        paths={[`${path}.place`]}
        eachTime="Each time anew"
        isWhole
        isStacked
        below={(link) => <AddressTest key={link} address={link} label="Your video link" />}
      />
    </Part>
  );
}

function SelectField({
  path,
  value,
  options,
  onChange,
}: {
  path: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onChange: (value: string) => void;
}) {
  const { isLocked } = useEditor();
  return (
    <FieldFrame path={path}>
      <Select
        id={controlId(path)}
        w="full"
        value={value}
        disabled={isLocked}
        onChange={({ target }) => onChange(target.value)}
      >
        {options.map(([option, label]) => (
          <option key={option} value={option}>
            {label}
          </option>
        ))}
      </Select>
    </FieldFrame>
  );
}
