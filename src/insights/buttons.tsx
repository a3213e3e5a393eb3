import { formatNumber } from '../../server/contract/numbers.ts';
import { buttonName } from '../admin/filter-names.ts';
import type { Filter } from '../admin/report.ts';
import { Ranking } from './ranking.tsx';
import type { ButtonFigures } from './use-insights.ts';

/** Clicks, booked calls, sales and revenue by call-to-action. A press on one filters the dashboard. */
export function ButtonsPanel({
  buttons,
  filter,
  onFilter,
}: {
  buttons: ButtonFigures[];
  filter: Filter;
  onFilter: (change: Filter) => void;
}) {
  return (
    <Ranking
      title="Buttons"
      rowName="Button"
      rows={buttons.map(({ button, merged = 0, ...figures }) => ({
        ...figures,
        pageViews: undefined,
        name: button === undefined ? `${formatNumber(merged)} more` : buttonName(button),
        value: button,
      }))}
      chosen={filter.button}
      onChoose={(button) => onFilter({ button })}
      note="A visitor’s click counts once a day, for the first button. Calls and sales count for the button that led to them; those without one are left out."
    />
  );
}
