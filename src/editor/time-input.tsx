import { Input, type InputProps } from '@chakra-ui/react';
import { useState } from 'react';

/**
 * A date or a time of day. While it is typed it has no value, and would lose what is typed if it got one: it is given
 * on only when it is whole.
 */
export function TimeInput({
  value,
  onValue,
  onBlur,
  ...props
}: Omit<InputProps, 'value' | 'onChange'> & {
  type: 'date' | 'time';
  value: string;
  onValue: (value: string) => void;
}) {
  const [typed, setTyped] = useState<string>();
  return (
    <Input
      {...props}
      px="2"
      // Two times stand in a row, also at 320 px.
      css={{
        '@media (max-width: 22em)': { '&::-webkit-calendar-picker-indicator': { display: 'none' } },
      }}
      // In WebKit its segments have the focus, and the input does not match `:focus-visible`.
      _focusWithin={{ outline: '3px solid var(--focus)', outlineOffset: '2px' }}
      value={typed ?? value}
      onChange={({ target }) => {
        setTyped(target.value);
        // A year has four digits, of which the first ones are typed first.
        if (target.value !== '' && !target.value.startsWith('0')) onValue(target.value);
        else if (target.type === 'time' && target.value !== '') onValue(target.value);
      }}
      onBlur={(event) => {
        setTyped(undefined);
        onBlur?.(event);
      }}
    />
  );
}
