import {
  chakra,
  Grid,
  type GridProps,
  Heading,
  type HeadingProps,
  Text,
  type TextProps,
} from '@chakra-ui/react';
import { WholeWords } from './whole-words.tsx';

/**
 * A full-width section of the page. Its text stays within the page's width; elements that reach the window's
 * edge are positioned absolutely. Each tone has a visible focus ring; on `inverted` the lines are brighter.
 */
export const Section = chakra('section', {
  base: { position: 'relative', px: 'gutter', py: 'band', overflowX: 'clip' },
  variants: {
    tone: {
      default: {},
      tint: { bg: 'bg.tint' },
      inverted: {
        bg: 'bg.inverted',
        color: 'fg.onInverted',
        '--focus': 'colors.primary.focus',
        '--c-colors-primary-border': 'colors.primary.borderOnInverted',
        '--c-colors-line-blue': 'colors.onInverted.blue',
        '--c-colors-line-red': 'colors.onInverted.red',
        '--c-colors-line-green': 'colors.onInverted.green',
      },
      primary: { bg: 'primary', color: 'primary.text', '--focus': 'colors.primary.text' },
    },
  },
  defaultVariants: { tone: 'default' },
});

/** The heading of a section. */
export const Title = ({ children, ...props }: HeadingProps & { children: string }) => (
  <Heading textStyle="h2" maxW="15em" mb="block" {...props}>
    <WholeWords>{children}</WholeWords>
  </Heading>
);

/** A subheading in a section. */
export const Subtitle = (props: HeadingProps) => (
  <Heading as="h3" textStyle="h3" mb="2" {...props} />
);

/** The lead paragraph of a section. */
export const Lead = (props: TextProps) => (
  <Text textStyle="lead" color="fg.soft" maxW="34em" mb="7" {...props} />
);

const splits = { wide: '7fr 5fr', even: '1fr 1fr', narrow: '4fr 8fr' };

/** Two columns on wide screens, stacked on narrow ones. */
export const Columns = ({
  split = 'wide',
  ...props
}: GridProps & { split?: keyof typeof splits }) => (
  <Grid
    templateColumns={{ lg: splits[split] }}
    columnGap="16"
    rowGap="block"
    alignItems="start"
    {...props}
  />
);
