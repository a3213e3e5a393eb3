import { chakra } from '@chakra-ui/react';

/**
 * A table of figures whose first column names each row. With `isStacked`, each row becomes a block on
 * phones: the name with its `data-lead` figure, then the others in threes, on the smallest phones in
 * twos, under their `data-label`.
 */
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
  variants: {
    isStacked: {
      true: {
        mdDown: {
          '&, & tbody': { display: 'block' },
          '& thead': { srOnly: true },
          '& tr': {
            display: 'grid',
            gridTemplateColumns: 'repeat(auto-fit, minmax(max(6.5rem, 30%), 1fr))',
            alignItems: 'start',
            columnGap: '4',
            rowGap: '1',
            py: '3',
          },
          '& tbody :is(th, td)': { p: '0', textAlign: 'start' },
          '& tbody th': { gridColumn: '1 / -2', alignSelf: 'end' },
          '& td[data-lead]': {
            gridArea: '1 / -2',
            justifySelf: 'end',
            textAlign: 'end',
            fontWeight: '700',
          },
          '& td[data-label]::before': {
            content: 'attr(data-label)',
            display: 'block',
            textStyle: 'small',
            fontWeight: '400',
            color: 'fg.muted',
          },
        },
      },
    },
  },
});
