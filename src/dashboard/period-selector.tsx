import { chakra } from '@chakra-ui/react';
import { useId } from 'react';
import { segment, segmentBar } from '../admin/segments.ts';
import { type Period, periods } from './use-dashboard.ts';

/** Selects the period of the figures. */
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

const Group = chakra('fieldset', { base: segmentBar });
const Segment = chakra('label', { base: segment });
