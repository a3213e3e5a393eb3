/** A short line with a station, in the colour of the nearest `data-line`. */
export function LineMark({ width = 36 }: { width?: number }) {
  return (
    <svg width={width} height="18" fill="none" aria-hidden="true">
      <path d={`M0 9h${width}`} stroke="var(--line)" strokeWidth="5" />
      <circle
        cx={width / 2}
        cy="9"
        r="6"
        fill="var(--c-colors-bg)"
        stroke="currentColor"
        strokeWidth="3.5"
      />
    </svg>
  );
}
