import { Box, Grid, Input, Span, Text } from '@chakra-ui/react';
import { type ComponentProps, useId, useState } from 'react';
import { timeZones } from '../../server/contract/times.ts';
import { Details } from '../admin/details.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import type { ImportOptions, Preview } from './use-import.ts';

type Column = keyof ImportOptions['columns'];

const columns: { field: Column; label: string; isRequired?: boolean }[] = [
  { field: 'id', label: 'Sale id', isRequired: true },
  { field: 'amount', label: 'Amount', isRequired: true },
  { field: 'currency', label: 'Currency' },
  { field: 'email', label: 'Buyer’s email' },
  { field: 'date', label: 'Date' },
  { field: 'time', label: 'Time, if not with the date' },
  { field: 'zone', label: 'Time zone, if not with the date' },
  { field: 'source', label: 'Source' },
  { field: 'refunded', label: 'Refunded amount' },
  { field: 'status', label: 'Payment status' },
];

/** How a file is read: the column of each field, and the form of amounts and dates. */
export function ImportOptionsForm({
  preview: { format, header, options, hasOpenDates, errors },
  onChange,
}: {
  preview: Preview & { options: ImportOptions };
  onChange: (options: ImportOptions) => void;
}) {
  const setColumn = (field: Column, name: string) => {
    const { [field]: _, ...others } = options.columns;
    onChange({ ...options, columns: name ? { ...others, [field]: name } : others });
  };
  // The status of a file that was recognised is read by its own columns.
  const shown = columns.filter(({ field }) => field !== 'status' || format === 'other');
  // A file that was recognised rarely needs it.
  const [isOpen] = useState(format === 'other' || errors.count > 0 || hasOpenDates);
  return (
    <Details open={isOpen}>
      <summary>How the file is read</summary>
      <Grid templateColumns="repeat(auto-fill, minmax(min(100%, 15rem), 1fr))" gap="4">
        {shown.map(({ field, label, isRequired }) => (
          <Choice
            key={field}
            label={label}
            value={options.columns[field] ?? ''}
            onChange={({ target }) => setColumn(field, target.value)}
          >
            {!(isRequired && options.columns[field]) && <option value="">No column</option>}
            {header
              .filter((name, i) => name !== '' && header.indexOf(name) === i)
              .map((name) => (
                <option key={name}>{name}</option>
              ))}
          </Choice>
        ))}
        {options.columns.currency === undefined && (
          <Field label="Currency of all sales">
            <Input
              maxLength={3}
              defaultValue={options.currency}
              onBlur={({ target }) => {
                const currency = target.value.trim().toUpperCase();
                if (currency !== options.currency) onChange({ ...options, currency });
              }}
            />
          </Field>
        )}
        <Choice
          label="Amounts are written like"
          value={options.decimals}
          onChange={({ target }) =>
            onChange({ ...options, decimals: target.value as ImportOptions['decimals'] })
          }
        >
          <option value="point">1,234.56</option>
          <option value="comma">1.234,56</option>
          <option value="cents">123456 (in cents)</option>
        </Choice>
        <Choice
          label="A date like 01/02/2026 means"
          hint={hasOpenDates ? 'Nothing in the file says which. Check the dates below.' : ''}
          value={options.isDayFirst ? 'day' : 'month'}
          onChange={({ target }) => onChange({ ...options, isDayFirst: target.value === 'day' })}
        >
          <option value="month">January 2</option>
          <option value="day">February 1</option>
        </Choice>
        <Choice
          label="Time zone of dates without one"
          value={options.timeZone}
          onChange={({ target }) => onChange({ ...options, timeZone: target.value })}
        >
          {timeZones(options.timeZone).map((zone) => (
            <option key={zone}>{zone}</option>
          ))}
        </Choice>
      </Grid>
    </Details>
  );
}

/** A labelled select, with a hint below it. */
function Choice({
  label,
  hint,
  ...props
}: { label: string; hint?: string } & ComponentProps<typeof Select>) {
  const id = useId();
  return (
    <div>
      <Box as="label" display="block">
        <Span display="block" mb="1" fontWeight="600">
          {label}
        </Span>
        <Select w="full" {...props} {...(hint && { 'aria-describedby': id })} />
      </Box>
      {hint && (
        <Text id={id} mt="1" textStyle="small" fontWeight="600">
          {hint}
        </Text>
      )}
    </div>
  );
}
