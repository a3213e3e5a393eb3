/** The counters and rows that a filter selects. */

import { direct } from '../../attribution/source-ids.ts';
import { columns, computed } from '../../database/columns.ts';
import { get, type Statements } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import type { Filter } from '../model.ts';
import { allSources } from './counters.ts';

export interface Series {
  /** Id of a source or campaign, or `allSources`. */
  source: number;
  /** Whether rows of the source have the ids of its campaigns. */
  hasCampaigns: boolean;
  /** Name of a call-to-action; undefined: all rows, also those without one. */
  button: string | undefined;
}

/** The series of all rows. */
export const everything: Series = {
  source: allSources,
  hasCampaigns: false,
  button: undefined,
};

/** An id that no source has. */
const unknownSource = -1;

const selectSource = sql`SELECT ${columns('source', 'id', {
  campaigns: computed<number>(
    '(SELECT count(*) FROM source AS campaign WHERE campaign.parent = source.id)',
  ),
})} FROM source WHERE name = ?`;

/** The series of a filter; it is empty for a source that was never counted. */
export function* seriesOf({ source, button }: Filter = {}): Statements<Series> {
  if (source === undefined && button === undefined) return everything;
  if (source === undefined) return { ...everything, button };
  if (source === null) return { ...everything, source: direct, button };
  const { id, campaigns } = (yield* get(selectSource, [source])) ?? {
    id: unknownSource,
    campaigns: 0,
  };
  return { source: id, hasCampaigns: campaigns > 0, button };
}

/** The condition of a series in SQL, to follow others, and its parameters. */
export function conditionOf(
  { source, hasCampaigns, button }: Series,
  sourceColumn: 'source' | 'source_id',
): { condition: string; values: (string | number)[] } {
  const isOfSource = source !== allSources;
  // Without campaigns, the newest sales are found in the order of an index.
  const ofSource = hasCampaigns ? 'IN (SELECT id FROM source WHERE ? IN (id, parent))' : '= ?';
  return {
    condition: `${isOfSource ? `AND ${sourceColumn} ${ofSource}` : ''} ${button === undefined ? '' : 'AND button = ?'}`,
    values: [...(isOfSource ? [source] : []), ...(button === undefined ? [] : [button])],
  };
}
