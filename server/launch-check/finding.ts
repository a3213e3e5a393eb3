/** The results of the launch check. */
import { pluralize } from '../contract/numbers.ts';

/** Headings of the report, in its order. */
export const topics = {
  words: 'Texts and people',
  links: 'Links and calendars',
  colours: 'Colours',
  domain: 'Domain',
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
  /** What the owner reads where the site is edited in the browser; missing for what no field of it can change. */
  form?: Form;
}

interface Form {
  /** The field that can change it, such as `testimonials.quotes.1`. */
  path: string;
  /** A sentence for all findings of a check with the same one, maybe by their number. */
  sentence: string | ((count: number) => string);
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

/** A finding as the owner's screens show it: `text` is a whole sentence where `where` is missing. */
export type ShownFinding = Pick<Finding, 'kind' | 'text' | 'line'> & {
  where?: string;
  path?: string;
};

/** The findings of a check as sentences of the form, and those without one as they are, but without lines. */
export function inForm(findings: readonly Finding[]): ShownFinding[] {
  const sentences = findings.map(({ form }) => form?.sentence);
  return findings.flatMap(({ kind, where, text, form }, i): ShownFinding[] => {
    if (!form) return [{ kind, where, text }];
    const { path, sentence } = form;
    if (sentences.indexOf(sentence) < i) return [];
    const count = sentences.filter((one) => one === sentence).length;
    return [{ kind, path, text: typeof sentence === 'string' ? sentence : sentence(count) }];
  });
}

/** Formats `12 things to do before going live`. */
export function countSentence(count: number): string {
  return `${pluralize(count, 'thing')} to do before going live`;
}
