/** The geometry of the site's logo: a line with one loop that ends at a station. */
export const mark = {
  width: 38,
  height: 28,
  line: 'M2 24c10 0 18-6 17-14-1-8-12-8-12 0 0 7 7 11 14 11h6',
  station: { cx: 31, cy: 21, r: 4.5 },
} as const;
