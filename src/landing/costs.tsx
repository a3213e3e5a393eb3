import { chakra } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { BookingButton } from '../booking/button.tsx';
import { Columns, Section, Subtitle, Title } from '../ui/section.tsx';

const { title, lists, action } = site.costs;

/** Two ledgers: the costs to the business, and the costs to its founder. */
export function Costs() {
  return (
    <Section tone="tint">
      <Title>{title}</Title>
      <Columns split="even" mb="block">
        {lists.map(({ title, rows, total }) => (
          <div key={title}>
            <Subtitle>{title}</Subtitle>
            <Ledger>
              {[...rows, total].map(({ what, price }) => (
                <div key={what}>
                  <dt>{what}</dt>
                  <dd>{price}</dd>
                </div>
              ))}
            </Ledger>
          </div>
        ))}
      </Columns>
      <BookingButton variant="solid" button="costs">
        {action}
      </BookingButton>
    </Section>
  );
}

/** Rows of an item, a dotted leader and a price; the last row is the total. */
const Ledger = chakra('dl', {
  base: {
    borderTop: '4px solid',
    borderBottom: '4px double',
    pb: '3',
    '& div': { position: 'relative', pt: '3', overflow: 'hidden' },
    '& dt': { display: 'inline' },
    // The leader runs from the last word to the edge; the price covers its end.
    '& dt::after': {
      content: '""',
      position: 'absolute',
      w: 'full',
      h: '5',
      ms: '2',
      borderBottom: '2px dotted {colors.field}',
      // In print the price has no background to cover it.
      _print: { display: 'none' },
    },
    '& dd': { position: 'relative', float: 'right', ps: '2', bg: 'bg.tint', fontWeight: '700' },
    '& div:last-of-type': { borderTop: '2px solid', mt: '3', fontWeight: '700' },
  },
});
