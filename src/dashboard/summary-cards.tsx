import { chakra } from '@chakra-ui/react';
import { dollars, percent, wholeNumber } from '../admin/format.ts';
import type { Line } from '../theme/line.ts';
import type { Figures } from './dashboard-data.ts';
import { Hint } from './hint.tsx';
import { type RowsQuery, type TimeWindow, useRows } from './use-rows.ts';
import { wilson } from './wilson.ts';

/** The four figures the owner looks at first. Each opens to its rows once its moment is known. */
export function SummaryCards({
  figures,
  span,
}: {
  figures: Figures;
  span: TimeWindow | undefined;
}) {
  const { shown, hasFailed, ...rows } = useRows();
  const opens = (kind: RowsQuery['kind']): Opening | undefined =>
    span && {
      prepare: rows.prepare,
      open: (card) => void rows.open({ ...span, kind, ...card }),
    };
  return (
    <>
      <Grid aria-label="Summary">
        <Card
          line="blue"
          name="Page Views"
          opens={opens('page_view')}
          figure={wholeNumber(figures.pageViews)}
          note="Unique landing page visits"
          hint="Visitors counted once a day (UTC)"
        />
        <Card
          line="red"
          name="CTA Clicks"
          opens={opens('cta_click')}
          figure={wholeNumber(figures.ctaClicks)}
          note={`${percent(figures.ctaConversionRate)} click-through rate`}
          hint={`Visitors who clicked, counted once a day (UTC)${certainty(figures.ctaClicks, figures)}`}
        />
        <Card
          line="green"
          name="Conversions"
          opens={opens('sale')}
          figure={wholeNumber(figures.conversions)}
          note={`${percent(figures.conversionRate)} conversion rate`}
          hint={`The rate is sales per 100 page views${certainty(figures.conversions, figures)}`}
        />
        <Card
          name="Revenue"
          opens={opens('sale')}
          figure={dollars(figures.totalRevenue)}
          note="Total beta sales revenue"
          hint="What is left of sales in US dollars; no other currencies"
        />
      </Grid>
      {hasFailed && (
        <chakra.p role="alert" mt="4">
          Please reload the page.
        </chakra.p>
      )}
      {shown && <shown.Dialog asked={shown.asked} onClose={rows.close} />}
    </>
  );
}

/** How far the rate of so many of the views can be relied on. */
function certainty(count: number, { pageViews }: Figures): string {
  const rates = wilson(count, pageViews);
  return rates ? `. Between ${rates.map(percent).join(' and ')}, 19 times of 20` : '';
}

interface Opening {
  /** Somebody points at the figure. */
  prepare: () => void;
  open: (card: Pick<RowsQuery, 'name' | 'figure' | 'hint'>) => void;
}

function Card({
  line,
  name,
  figure,
  note,
  hint,
  opens,
}: {
  line?: Line;
  name: string;
  figure: string;
  note: string;
  hint: string;
  opens: Opening | undefined;
}) {
  return (
    <Frame data-line={line}>
      <chakra.dt gridArea="name" display="flex" alignItems="center" gap="1" fontWeight="600">
        {name}
        <Hint about={name} text={hint} />
      </chakra.dt>
      <Figure>
        {opens ? (
          <Opener
            type="button"
            aria-label={`${figure}, show the rows of ${name}`}
            aria-haspopup="dialog"
            onPointerEnter={opens.prepare}
            onClick={() => opens.open({ name, figure, hint })}
          >
            {figure}
          </Opener>
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
    // On phones a row: the figure beside its name, as in a timetable.
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

/** The figure itself, underlined as the links are: that it can be opened must be seen on a phone. */
const Opener = chakra('button', {
  base: {
    cursor: 'pointer',
    // A thumb's width on phones.
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
