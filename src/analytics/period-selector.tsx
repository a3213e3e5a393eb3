import { chakra } from '@chakra-ui/react';
import { useId } from 'react';
import { type Period, periods } from './use-dashboard.ts';

/** Chooses how far back the figures reach. */
export function PeriodSelector({
  days,
  onChange,
}: {
  days: Period;
  onChange: (days: Period) => void;
}) {
  const name = useId();
  return (
    <Group>
      <chakra.legend srOnly>Period</chakra.legend>
      {periods.map((period) => (
        <Segment key={period}>
          <chakra.input
            type="radio"
            name={name}
            checked={period === days}
            onChange={() => onChange(period)}
            srOnly
          />
          Last {period} days
        </Segment>
      ))}
    </Group>
  );
}

const Group = chakra('fieldset', {
  base: {
    display: 'flex',
    w: { base: 'full', sm: 'auto' },
    borderWidth: '2px',
    borderColor: 'fg',
    borderRadius: 'button',
  },
});

const Segment = chakra('label', {
  base: {
    position: 'relative',
    display: 'flex',
    flex: '1 1 auto',
    alignItems: 'center',
    justifyContent: 'center',
    minH: '11',
    px: { base: '1', sm: '4' },
    fontSize: { base: '0.875rem', sm: '0.9375rem' },
    fontWeight: '600',
    textAlign: 'center',
    lineHeight: '1.2',
    cursor: 'pointer',
    transition: 'background-color 150ms, color 150ms',
    '& + &': { borderInlineStart: '2px solid', borderColor: 'fg' },
    // Ink is printed too: without it nobody could tell which one is chosen.
    printColorAdjust: 'exact',
    '&:hover:not(:has(:checked))': { bg: 'bg.tint' },
    '&:has(:checked)': { bg: 'fg', color: 'bg' },
    '&:has(:focus-visible)': {
      outline: '3px solid var(--focus)',
      outlineOffset: '4px',
      borderRadius: 'button',
      zIndex: '1',
    },
    '@media (forced-colors: active)': {
      '&:has(:checked)': {
        forcedColorAdjust: 'none',
        bg: 'Highlight',
        color: 'HighlightText',
      },
    },
  },
});
