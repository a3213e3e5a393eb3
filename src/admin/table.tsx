import { chakra } from '@chakra-ui/react';

/** A table of figures whose first column names each row. */
export const Table = chakra('table', {
  base: {
    w: 'full',
    borderCollapse: 'collapse',
    fontVariantNumeric: 'tabular-nums',
    lineHeight: '1.4',
    '& :is(th, td)': {
      py: '2.5',
      textAlign: 'end',
      verticalAlign: 'baseline',
      fontWeight: 'inherit',
    },
    '& :is(th, td) + :is(th, td)': { ps: { base: '2', sm: '4' } },
    '& :is(th, td):first-child': { textAlign: 'start' },
    '& tr': { borderBottom: '1px solid {colors.hairline}' },
    '& thead': { textStyle: 'small', color: 'fg.muted' },
    '& tbody th': { fontWeight: '600', overflowWrap: 'break-word' },
  },
});
