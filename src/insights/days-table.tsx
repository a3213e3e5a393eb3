import { chakra } from '@chakra-ui/react';
import { Table } from '../admin/table.tsx';
import { shortDate, weekday } from './dates.ts';
import { measures, useFigures } from './measures.ts';
import type { Day } from './use-insights.ts';

/** All figures of the days as a table, newest first. */
export function DaysTable({ days }: { days: Day[] }) {
  const text = useFigures();
  return (
    <Table fontSize={{ base: '0.8125rem', sm: '0.9375rem' }}>
      <thead>
        <tr>
          <th scope="col">Day</th>
          {measures.map(({ key, name }) => (
            <th key={key} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.toReversed().map((day) => (
          <Row key={day.date} data-part={!day.isWhole || undefined}>
            <th scope="row">
              <chakra.span hideBelow="sm">{`${weekday(day.date)}, `}</chakra.span>
              <chakra.span whiteSpace="nowrap">{shortDate(day.date)}</chakra.span>
              {!day.isWhole && <span> (partial)</span>}
            </th>
            {measures.map((measure) => (
              <td key={measure.key}>{text(measure, day[measure.key])}</td>
            ))}
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

const Row = chakra('tr', { base: { '&[data-part]': { color: 'fg.muted' } } });
