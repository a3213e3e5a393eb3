import { Container, Link } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { widthOf } from '../theme/letters.ts';

/** The geometry of the site's logo: a line with one loop that ends at a station. */
export const mark = {
  width: 38,
  height: 28,
  line: 'M2 24c10 0 18-6 17-14-1-8-12-8-12 0 0 7 7 11 14 11h6',
  station: { cx: 31, cy: 21, r: 4.5 },
} as const;

/** The logo without the name. */
export function Logo() {
  return (
    <svg
      width={mark.width}
      height={mark.height}
      viewBox={`0 0 ${mark.width} ${mark.height}`}
      fill="none"
      strokeWidth="3.5"
      aria-hidden="true"
    >
      <path d={mark.line} stroke="var(--c-colors-line-blue)" strokeLinecap="round" />
      <circle {...mark.station} stroke="currentColor" />
    </svg>
  );
}

/** The name with at most one line break opportunity, where its two lines are about equally long. */
const name = site.brand.name
  .trim()
  .split(/\s+/)
  .reduce(
    (best, _, i, words) => {
      const lines = [words.slice(0, i), words.slice(i)].map((line) => line.join('\u00a0'));
      const candidate = lines.filter((line) => line !== '').join(' ');
      return widest(candidate) < widest(best) ? candidate : best;
    },
    site.brand.name.replace(/\s+/g, '\u00a0'),
  );

/** The width of the widest line, in em. */
function widest(text: string) {
  return Math.max(...text.split(' ').map(widthOf));
}

/** The logo and the name of the business, linked to the home page. */
export function Brand() {
  return (
    <Link
      href="/"
      display="inline-flex"
      alignItems="center"
      gap="2"
      minH="11"
      textStyle="h4"
      fontSize={`min(1.25rem, ${Math.min(5, 34 / widest(name)).toFixed(1)}vw)`}
      // In a narrow header the name wraps to two lines before any other item shrinks.
      minW="min-content"
      flexShrink="9999"
    >
      <Logo />
      {name}
    </Link>
  );
}

/** The header of a page without menus. */
export const PlainHeader = () => (
  <Container as="header" py="14px" borderBottom="4px solid" borderColor="fg">
    <Brand />
  </Container>
);
