/** What the launch check has to say, one thing at a time. */

/** What a finding is about, in the order of the report. */
export const topics = {
  words: 'Words and people (site.config.ts)',
  links: 'Links and calendars (site.config.ts)',
  colours: 'Colours (site.config.ts)',
  settings: 'Settings (the file .env, or the environment)',
  email: 'E-mail',
  build: 'Build',
} as const;

export interface Finding {
  topic: keyof typeof topics;
  /**
   * - `todo`: to be done before going live.
   * - `unknown`: it could not be checked from here.
   * - `advice`: good to know; nothing is missing.
   */
  kind: 'todo' | 'unknown' | 'advice';
  /** The field or the variable, as the owner sees it. */
  where: string;
  /** What is the matter and what to do: the rest of a line that begins with `where`. */
  text: string;
}

/** How many things are to be done. */
export const countOf = (findings: Finding[]): number =>
  findings.filter(({ kind }) => kind === 'todo').length;

/** `12 things to do before going live` */
export function countSentence(count: number): string {
  return `${count} ${count === 1 ? 'thing' : 'things'} to do before going live`;
}
