import { chakra, VisuallyHidden } from '@chakra-ui/react';
import { useId } from 'react';
import { type Period, periods } from '../admin/report.ts';
import { segment, segmentBar } from '../admin/segments.ts';

/**
 * Selects the period of the figures. The radio buttons are native, because Chakra's SegmentGroup does
 * the same with 3 kB more script.
 */
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
      <VisuallyHidden as="legend">Period</VisuallyHidden>
      {periods.map((period) => (
        <Segment key={period}>
          <VisuallyHidden asChild>
            <input
              type="radio"
              name={name}
              checked={period === days}
              onChange={() => onChange(period)}
            />
          </VisuallyHidden>
          <span>{`Last ${period} days`}</span>
        </Segment>
      ))}
    </Group>
  );
}

const Group = chakra('fieldset', { base: { ...segmentBar, w: 'auto', flex: '1 1 auto' } });
const Segment = chakra('label', { base: segment });
