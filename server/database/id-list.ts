import { text } from './schema.ts';
import { jsonRows, sql } from './sql.ts';

/** Ids as the parameter of a statement with `listedIds`. */
export const idList = (ids: readonly string[]): string => JSON.stringify(ids.map((id) => [id]));

/** Expression: the ids in a parameter from `idList`. */
export const listedIds = sql`(SELECT id FROM ${jsonRows({ id: text })} AS named)`;
