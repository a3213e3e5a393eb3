/** The start of a pseudo-element's style that draws something. */
export const drawn = { content: '""', position: 'absolute' } as const;

/**
 * The style of a stop on a line, as a pseudo-element: a ring that covers the line, or a capsule when it is
 * made wider. `size` is in px, at most 40; `ring` is the width of its edge in px.
 */
export const stop = ({
  size,
  ring = 4,
  edge = 'fg',
  fill = 'bg',
}: {
  size: number;
  ring?: number;
  edge?: string;
  fill?: string;
}) =>
  ({
    ...drawn,
    boxSize: `${size}px`,
    bg: fill,
    border: `${ring}px solid {colors.${edge}}`,
    borderRadius: '20px',
  }) as const;
