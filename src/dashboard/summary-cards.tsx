import { chakra, SimpleGrid, Stat, Text } from '@chakra-ui/react';
import { lazy, Suspense, useState } from 'react';
import { percent, wholeMoney, wholeNumber } from '../admin/format.ts';
import type { Figures, Report, TimeWindow } from '../admin/report.ts';
import type { Line } from '../theme/page-css.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { Hint } from './hint.tsx';
import type { RowsQuery } from './rows-dialog.tsx';
import { wilson } from './wilson.ts';

const loadDialog = () => import('./rows-dialog.tsx');
const RowsDialog = lazy(() => loadDialog().then((m) => ({ default: m.RowsDialog })));

/** The four summary cards. Each opens its rows once the time window is known. */
export function SummaryCards({
  figures,
  currency,
  others,
  timeWindow,
}: {
  figures: Figures;
  currency: string;
  /** Sales in other currencies. */
  others: Report['otherCurrencies'];
  timeWindow: TimeWindow | undefined;
}) {
  const [query, setQuery] = useState<RowsQuery>();
  const openerOf = (kind: RowsQuery['kind']): OpenRows | undefined =>
    timeWindow && ((card) => setQuery({ ...timeWindow, kind, ...card }));
  return (
    <>
      <SimpleGrid
        as="dl"
        aria-label="Summary"
        columns={{ base: 1, sm: 2, lg: 4 }}
        columnGap="6"
        rowGap={{ base: '4', sm: '6' }}
        mt="7"
      >
        <Card
          line="blue"
          name="Page Views"
          onOpen={openerOf('page_view')}
          figure={wholeNumber(figures.pageViews)}
          note="Unique landing page visits"
          hint="Visitors counted once a day (UTC)"
        />
        <Card
          line="red"
          name="CTA Clicks"
          onOpen={openerOf('cta_click')}
          figure={wholeNumber(figures.ctaClicks)}
          note={`${percent(figures.ctaConversionRate)} click-through rate`}
          hint={`Visitors who clicked, counted once a day (UTC)${interval(figures.ctaClicks, figures)}`}
        />
        <Card
          line="green"
          name="Conversions"
          onOpen={openerOf('sale')}
          figure={wholeNumber(figures.conversions)}
          note={`${percent(figures.conversionRate)} conversion rate${others.map(inOther).join('')}`}
          hint={`The rate is sales in all currencies per 100 page views${interval(figures.conversions, figures)}`}
        />
        <Card
          name="Revenue"
          onOpen={openerOf('sale')}
          figure={wholeMoney(figures.totalRevenue, currency)}
          note="Total beta sales revenue"
          hint={`Sales in ${currency}, less refunds and lost disputes. Other currencies are not included`}
        />
      </SimpleGrid>
      {query && (
        <ErrorBoundary
          fallback={
            <Text role="alert" mt="4">
              Could not load the list. Reload the page.
            </Text>
          }
        >
          <Suspense>
            <RowsDialog query={query} onClose={() => setQuery(undefined)} />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  );
}

const inOther = ({ currency, conversions }: Report['otherCurrencies'][number]) =>
  `, ${wholeNumber(conversions)} in ${currency}`;

/** The confidence interval of a rate, as a sentence; empty when there is no rate. */
function interval(count: number, { pageViews }: Figures): string {
  const rates = wilson(count, pageViews);
  return rates ? `. 95% confidence: ${rates.map(percent).join('–')}` : '';
}

/** Opens the rows behind a card. */
type OpenRows = (card: Pick<RowsQuery, 'name' | 'figure' | 'hint'>) => void;

function Card({
  line,
  name,
  figure,
  note,
  hint,
  onOpen,
}: {
  line?: Line;
  name: string;
  figure: string;
  note: string;
  hint: string;
  onOpen: OpenRows | undefined;
}) {
  return (
    <Stat.Root as="div" data-line={line}>
      <Stat.Label>
        {name}
        <Hint about={name} text={hint} />
      </Stat.Label>
      <Stat.ValueText>
        {onOpen ? (
          <FigureButton
            type="button"
            aria-label={`${figure}, show the rows of ${name}`}
            aria-haspopup="dialog"
            onPointerEnter={() => void loadDialog().catch(() => {})}
            onClick={() => onOpen({ name, figure, hint })}
          >
            {figure}
          </FigureButton>
        ) : (
          figure
        )}
      </Stat.ValueText>
      <Stat.HelpText as="dd">{note}</Stat.HelpText>
    </Stat.Root>
  );
}

/** Underlined like a link, so that touch users see that the figure opens. */
const FigureButton = chakra('button', {
  base: {
    cursor: 'pointer',
    // A 44 px touch target on phones.
    minW: '11',
    minH: { base: '11', sm: 'auto' },
    textAlign: { base: 'end', sm: 'start' },
    textDecoration: 'underline',
    textDecorationColor: 'hairline',
    textDecorationThickness: '2px',
    textUnderlineOffset: '6px',
    _hover: { textDecorationColor: 'currentColor' },
    _print: { textDecoration: 'none' },
  },
});
