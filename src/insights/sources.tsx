import { useMoney } from '../admin/currency.ts';
import { percent, wholeNumber } from '../admin/format.ts';
import { Note, Panel } from '../admin/panel.tsx';
import { Table } from './table.tsx';
import type { Source } from './use-insights.ts';

const notApplicable = '–';

/** The table's columns. */
const columns: {
  name: string;
  isLead?: boolean;
  text: (source: Source, money: (amount: number) => string) => string;
}[] = [
  { name: 'Visits', text: ({ pageViews }) => wholeNumber(pageViews) },
  { name: 'Clicks', text: ({ ctaClicks }) => wholeNumber(ctaClicks) },
  {
    name: 'Click rate',
    text: ({ ctaClicks, pageViews }) => perVisit(100 * ctaClicks, pageViews, percent),
  },
  { name: 'Booked calls', text: ({ callsBooked }) => wholeNumber(callsBooked) },
  { name: 'Conversions', text: ({ conversions }) => wholeNumber(conversions) },
  { name: 'Net revenue', isLead: true, text: ({ revenue }, money) => money(revenue) },
  {
    name: 'Per 100 visits',
    text: ({ revenue, pageViews }, money) => perVisit(100 * revenue, pageViews, money),
  },
];

/** Visits, clicks, booked calls, conversions and revenue by source. */
export function SourcesPanel({ sources }: { sources: Source[] }) {
  const money = useMoney();
  if (sources.length === 0) return null;
  return (
    <Panel title="Sources">
      <Table isStacked>
        <thead>
          <tr>
            <th scope="col">Source</th>
            {columns.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sources.map((source) => (
            <tr key={nameOf(source)}>
              <th scope="row">{nameOf(source)}</th>
              {columns.map(({ name, isLead, text }) => (
                <td key={name} data-label={name} data-lead={isLead || undefined}>
                  {text(source, money)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
      <Note>
        Visits, clicks and booked calls count for the source of the visitor’s first view that day.
        Sales count for the buyer’s last source within 30 days. Revenue excludes refunds.
      </Note>
    </Panel>
  );
}

function nameOf({ source, merged }: Source): string {
  if (merged) return merged === 1 ? '1 more source' : `${wholeNumber(merged)} more sources`;
  return source ?? 'Direct';
}

const perVisit = (n: number, visits: number, text: (n: number) => string) =>
  visits === 0 ? notApplicable : text(n / visits);
