/** The results of the launch check. */
import { pluralize } from '../contract/numbers.ts';

/** Headings of the report, in its order. */
export const topics = {
  words: 'Texts and people',
  links: 'Links and calendars',
  colours: 'Colours',
  settings: 'Settings (the file .env, or the environment)',
  email: 'Email',
  build: 'Build',
} as const;

/**
 * - `todo`: to do before going live.
 * - `unknown`: could not be checked from this machine.
 * - `advice`: for information.
 */
export const findingKinds = ['todo', 'unknown', 'advice'] as const;

export interface Finding {
  kind: (typeof findingKinds)[number];
  /** The field or variable, as the owner writes it. */
  where: string;
  /** The problem and what to do, as the rest of a sentence that begins with `where`. */
  text: string;
  /** The line of the field in `site.config.ts`; missing for a variable. */
  line?: number | undefined;
}

/** One check with what it found. */
export interface Check {
  topic: keyof typeof topics;
  /** What holds when there are no findings, as a sentence. */
  done: string;
  findings: Finding[];
}

/** Number of findings to do before going live. */
export const countOf = (checks: readonly Check[]): number =>
  findingsOf(checks).filter(({ kind }) => kind === 'todo').length;

export const findingsOf = (checks: readonly Check[]): Finding[] =>
  checks.flatMap(({ findings }) => findings);

/** Formats `12 things to do before going live`. */
export function countSentence(count: number): string {
  return `${pluralize(count, 'thing')} to do before going live`;
}
