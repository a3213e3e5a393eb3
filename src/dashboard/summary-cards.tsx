import { chakra } from '@chakra-ui/react';
import { dollars, percent, wholeNumber } from '../admin/format.ts';
import type { Line } from '../theme/line.ts';
import type { Figures } from './dashboard-data.ts';
import { Hint } from './hint.tsx';
import { type RowsQuery, type TimeWindow, useRows } from './use-rows.ts';
import { wilson } from './wilson.ts';

/** The four summary cards. Each opens its rows once the time window is known. */
export function SummaryCards({
  figures,
  timeWindow,
}: {
  figures: Figures;
  timeWindow: TimeWindow | undefined;
}) {
  const { shown, hasFailed, ...rows } = useRows();
  const actions = (kind: RowsQuery['kind']): CardActions | undefined =>
    timeWindow && {
      preload: rows.preload,
      open: (card) => void rows.open({ ...timeWindow, kind, ...card }),
    };
  return (
    <>
      <Grid aria-label="Summary">
        <Card
          line="blue"
          name="Page Views"
          actions={actions('page_view')}
          figure={wholeNumber(figures.pageViews)}
          note="Unique landing page visits"
          hint="Visitors counted once a day (UTC)"
        />
        <Card
          line="red"
          name="CTA Clicks"
          actions={actions('cta_click')}
          figure={wholeNumber(figures.ctaClicks)}
          note={`${percent(figures.ctaConversionRate)} click-through rate`}
          hint={`Visitors who clicked, counted once a day (UTC)${interval(figures.ctaClicks, figures)}`}
        />
        <Card
          line="green"
          name="Conversions"
          actions={actions('sale')}
          figure={wholeNumber(figures.conversions)}
          note={`${percent(figures.conversionRate)} conversion rate`}
          hint={`The rate is sales per 100 page views${interval(figures.conversions, figures)}`}
        />
        <Card
          name="Revenue"
          actions={actions('sale')}
          figure={dollars(figures.totalRevenue)}
          note="Total beta sales revenue"
          hint="Sales in US dollars, less refunds. Other currencies are not included"
        />
      </Grid>
      {hasFailed && (
        <chakra.p role="alert" mt="4">
          Could not load the list. Reload the page.
        </chakra.p>
      )}
      {shown && <shown.Dialog query={shown.query} onClose={rows.close} />}
    </>
  );
}

/** The confidence interval of a rate, as a sentence; empty when there is no rate. */
function interval(count: number, { pageViews }: Figures): string {
  const rates = wilson(count, pageViews);
  return rates ? `. 95% confidence: ${rates.map(percent).join('–')}` : '';
}

interface CardActions {
  /** Loads the dialog's code ahead, on hover. */
  preload: () => void;
  open: (card: Pick<RowsQuery, 'name' | 'figure' | 'hint'>) => void;
}

function Card({
  line,
  name,
  figure,
  note,
  hint,
  actions,
}: {
  line?: Line;
  name: string;
  figure: string;
  note: string;
  hint: string;
  actions: CardActions | undefined;
}) {
  return (
    <Frame data-line={line}>
      <chakra.dt gridArea="name" display="flex" alignItems="center" gap="1" fontWeight="600">
        {name}
        <Hint about={name} text={hint} />
      </chakra.dt>
      <Figure>
        {actions ? (
          <FigureButton
            type="button"
            aria-label={`${figure}, show the rows of ${name}`}
            aria-haspopup="dialog"
            onPointerEnter={actions.preload}
            onClick={() => actions.open({ name, figure, hint })}
          >
            {figure}
          </FigureButton>
        ) : (
          figure
        )}
      </Figure>
      <chakra.dd gridArea="note" textStyle="small" color="fg.muted">
        {note}
      </chakra.dd>
    </Frame>
  );
}

const Grid = chakra('dl', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: '1fr', sm: '1fr 1fr', lg: 'repeat(4, 1fr)' },
    columnGap: '6',
    rowGap: { base: '4', sm: '6' },
    mt: '7',
  },
});

const Frame = chakra('div', {
  base: {
    display: 'grid',
    // On phones the figure stands to the right of its name.
    gridTemplateAreas: {
      base: '"name figure" "note figure"',
      sm: '"name" "figure" "note"',
    },
    gridTemplateColumns: { base: '1fr auto', sm: '1fr' },
    columnGap: '4',
    alignContent: 'start',
    borderTop: '4px solid var(--line, currentColor)',
    pt: '2',
  },
});

const Figure = chakra('dd', {
  base: {
    gridArea: 'figure',
    alignSelf: 'center',
    textStyle: 'h2',
    fontSize: 'clamp(1.75rem, 1.4rem + 1.6vw, 2.75rem)',
    fontVariantNumeric: 'tabular-nums',
    my: { sm: '2' },
  },
});

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
