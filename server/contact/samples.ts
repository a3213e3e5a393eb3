/** Hand-labelled messages: the training data of `spam-score.ts`. */
import leadsText from './samples/leads.txt?raw';
import spamText from './samples/spam.txt?raw';
import type { ContactMessage } from './store.ts';

/** The fields that a visitor fills in. */
export type Sample = Pick<ContactMessage, 'name' | 'email' | 'company' | 'message'>;

/** Genuine messages, in many languages. */
export const leads = (): Sample[] => samplesIn(leadsText);

/** Spam of the usual kinds. */
export const spam = (): Sample[] => samplesIn(spamText);

/** Parses samples, separated by `---`: a line `name | email | company` followed by the message. */
export function samplesIn(text: string): Sample[] {
  return text
    .trimEnd()
    .split('\n---\n')
    .map((sample) => {
      const [head = '', ...lines] = sample.split('\n');
      const [name = '', email = '', company = ''] = head.split('|').map((part) => part.trim());
      return { name, email, company: company || null, message: lines.join('\n') };
    });
}
