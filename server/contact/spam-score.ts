/**
 * Spam score of a message's text: a naive Bayes classifier over words and pairs of words, trained at
 * its first use on the labelled messages of the folder `samples`.
 */

import {
  eachField,
  emptyFields,
  type FormFields,
  optionalNames,
} from '../contract/contact-fields.ts';
import { normalized } from '../text/normalized.ts';
import leadsText from './samples/leads.txt?raw';
import spamText from './samples/spam.txt?raw';

/** Genuine messages, in many languages. */
export const leads = (): FormFields[] => samplesIn(leadsText);

/** Spam of the usual kinds. */
export const spam = (): FormFields[] => samplesIn(spamText);

/** Parses samples, separated by `---`: a line `name | email | company` followed by the message. */
export function samplesIn(text: string): FormFields[] {
  return text
    .trimEnd()
    .split('\n---\n')
    .map((sample) => {
      const [head = '', ...lines] = sample.split('\n');
      const [name = '', email = '', company = ''] = head.split('|').map((part) => part.trim());
      const message = lines.join('\n');
      return plainFields({ ...emptyFields, name, email, company: company || null, message });
    });
}

/** Characters of a field that are assessed: to read a megabyte would hold up other requests. */
const assessedLength = 100_000;

/** Returns the fields as they are assessed: letters in circles or in bold, and full-width ones, as the plain ones. */
export function plainFields(fields: FormFields): FormFields {
  // The normalized text can be 18 times as long.
  const plain = (text: string) =>
    normalized(text.slice(0, assessedLength)).slice(0, assessedLength);
  return eachField(
    (name) => (name === 'email' ? fields.email : plain(fields[name])),
    (name) => fields[name] && plain(fields[name]),
  );
}

/** Additive smoothing, so that a feature seen in one class only does not decide alone. */
const smoothing = 0.5;

/** Characters of a field that are scored: its start shows the topic. */
const scoredLength = 3000;

let weights: Map<string, number> | undefined;

/** Returns the natural logarithm of the odds that a message with these plain fields is spam; 0 is undecided. */
export function spamScore(message: FormFields): number {
  weights ??= train();
  let score = 0;
  for (const feature of featuresOf(message)) score += weights.get(feature) ?? 0;
  return score;
}

/** The longest host name of DNS, in characters. */
const maxDomainLength = 253;

/** The domain of an email address; undefined when no link can lead there. */
export function domainOf(email: string): string | undefined {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  // A bare top-level domain, as in `a@com`, would match every link below it.
  return domain.includes('.') && domain.length <= maxDomainLength ? domain : undefined;
}

/** Whether a link leads to this domain of the sender's email address, or to a host below it. */
export function isOwnLink(link: string, domain: string | undefined): boolean {
  const host = /^(?:https?:\/\/)?([^/?#:]*)/i.exec(link)?.[1]?.toLowerCase() ?? '';
  return domain !== undefined && (host === domain || host.endsWith(`.${domain}`));
}

function train(): Map<string, number> {
  const classes = [spam(), leads()].map((samples) => ({
    counts: countFeatures(samples),
    total: samples.length + 2 * smoothing,
  }));
  const [ofSpam, ofLeads] = classes as [(typeof classes)[0], (typeof classes)[0]];
  const result = new Map<string, number>();
  for (const feature of [...ofSpam.counts.keys(), ...ofLeads.counts.keys()]) {
    const [inSpam, inLeads] = [ofSpam, ofLeads].map(
      ({ counts, total }) => ((counts.get(feature) ?? 0) + smoothing) / total,
    ) as [number, number];
    result.set(feature, Math.log(inSpam / inLeads));
  }
  return result;
}

function countFeatures(samples: FormFields[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const sample of samples) {
    for (const feature of featuresOf(sample)) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  }
  return counts;
}

/** Returns the features of a message, without duplicates. */
function featuresOf(fields: FormFields): Set<string> {
  const { email, message } = fields;
  const domain = domainOf(email);
  const text = withoutQuotes(message.slice(0, scoredLength))
    .toLowerCase()
    .replace(/(https?:\/\/|www\.)\S+/g, (url) =>
      isOwnLink(url, domain) ? ' ~ownlink ' : ' ~link ',
    );
  const words = wordsOf(text);
  const features = new Set(words);
  for (let i = 1; i < words.length; i++) features.add(`${words[i - 1]} ${words[i]}`);
  for (const name of ['name', ...optionalNames] as const) {
    const words = wordsOf((fields[name] ?? '').slice(0, scoredLength).toLowerCase());
    for (const word of words) features.add(`${name}: ${word}`);
  }
  return features;
}

/**
 * Removes quoted text, since genuine messages quote spam to ask about it. No character class contains
 * its opening quotation mark, so that a text of such marks is matched in linear time.
 */
const withoutQuotes = (text: string) =>
  text
    .replace(/^-{2,} ?(forwarded|original|begin forwarded)? ?message[\s\S]*/im, '')
    .replace(/^>.*$/gm, '')
    .replace(/"[^"]{40,}"|[“„][^“„”]{40,}[”“]|«[^«»]{40,}»/g, '');

/**
 * Splits text into words, numbers and symbols. Chinese and Japanese have no spaces, so they become
 * pairs of characters.
 */
function wordsOf(text: string): string[] {
  const words = text.match(/~\w+|[\p{L}\p{M}'’]+|\d+|[$€£%!?]|\p{Extended_Pictographic}/gu) ?? [];
  return words.flatMap((word) => {
    if (/^\d/.test(word)) return '0';
    // Thai has no spaces and few samples, so its scores would be random.
    if (/\p{sc=Thai}/u.test(word)) return [];
    return /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(word)
      ? Array.from({ length: Math.max(1, word.length - 1) }, (_, i) => word.slice(i, i + 2))
      : word.replace(/’/g, "'");
  });
}
