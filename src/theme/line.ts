/** The three lines of the map: one colour for each service. */
export type Line = 'blue' | 'red' | 'green';
