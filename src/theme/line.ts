/** The three lines of the map: one colour for each service, wherever that is spoken of. */
export type Line = 'blue' | 'red' | 'green';
