/** The counters and rows that a filter selects. */
import { columns } from '../../database/columns.ts';
import { get, type Statements } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import type { Filter } from '../store.ts';
import { allSources } from './counters.ts';
import { direct } from './sources.ts';

export interface Series {
  /** Id of a source, or `allSources`. */
  source: number;
  /** Name of a call-to-action; undefined: all rows, also those without one. */
  control: string | undefined;
}

/** The series of all rows. */
export const everything: Series = { source: allSources, control: undefined };

/** An id that no source has. */
const unknownSource = -1;

const selectSource = sql`SELECT ${columns('source', 'id')} FROM source WHERE name = ?`;

/** The series of a filter; it is empty for a source that was never counted. */
export function* seriesOf({ source, button }: Filter = {}): Statements<Series> {
  if (source === undefined && button === undefined) return everything;
  if (source === undefined) return { source: allSources, control: button };
  if (source === null) return { source: direct, control: button };
  const found = yield* get(selectSource, [source]);
  return { source: found?.id ?? unknownSource, control: button };
}

/** The condition of a series in SQL, to follow others, and its parameters. */
export function conditionOf(
  { source, control }: Series,
  sourceColumn: 'source' | 'source_id',
): { condition: string; values: (string | number)[] } {
  const isOfSource = source !== allSources;
  return {
    condition: `${isOfSource ? `AND ${sourceColumn} = ?` : ''} ${control === undefined ? '' : 'AND control = ?'}`,
    values: [...(isOfSource ? [source] : []), ...(control === undefined ? [] : [control])],
  };
}
