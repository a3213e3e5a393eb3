/** For tests: messages labelled by hand, written before the filter was weighed. */
import { readFileSync } from 'node:fs';

/** What a visitor typed. */
export interface Sample {
  name: string;
  email: string;
  company: string | null;
  message: string;
}

/** Genuine messages in many languages. */
export const leads = samplesIn('leads.txt');
/** Spam of the usual kinds. */
export const spam = samplesIn('spam.txt');

/** A sample is a line `name | email | company` and the message below it; `---` ends it. */
function samplesIn(file: string): Sample[] {
  const text = readFileSync(new URL(`samples/${file}`, import.meta.url), 'utf8');
  return text
    .trimEnd()
    .split('\n---\n')
    .map((sample) => {
      const [head = '', ...lines] = sample.split('\n');
      const [name = '', email = '', company = ''] = head.split('|').map((part) => part.trim());
      return { name, email, company: company || null, message: lines.join('\n') };
    });
}
