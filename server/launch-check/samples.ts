import { isPlaceholder } from '../../site.placeholder.ts';

/**
 * The fictional people and texts that `site.config.ts` is shipped with. The launch check searches
 * the whole file for these values; a test compares them with `server/testing/sample-file.ts`.
 */
export const samples = {
  /** The fictional owner; other texts are searched for the words of this name. */
  name: 'Rowan Hale',
  texts: [
    'Maya Sample',
    'Course creator, Example Academy (sample)',
    'I used to open my laptop to see what was on fire. The first week nothing was, I thought my notifications were broken.',
    'Devon Placeholder',
    'Founder, Placeholder Studio (sample)',
    'Three tools were doing one job, and my welcome email had been off since spring. I would never have looked.',
    'Ines Specimen',
    'Business coach, Specimen & Co (sample)',
    'When someone asks me how we do things, there is a page for it now. And it is the page we really use.',
    '/sample-maya.svg',
    '/sample-devon.svg',
    '/sample-ines.svg',
    '/sample-rowan.svg',
    'https://www.instagram.com/rowanhale.sample',
    'https://www.linkedin.com/in/rowanhale-sample',
    'https://form.typeform.com/to/rowanhale-sample',
    '1 Sample Street',
    'Sample Hosting Ltd, London, runs the server of this site (sample).',
    'Inboxes, calendars, automations',
    'Client journeys, ad to invoice',
    'Audits: keep, merge or cancel',
    'Full-stack operations for founders',
  ],
};

/** Whether the owner has not replaced an address yet: it is a placeholder or one of the samples. */
export const isUnchanged = (address: string) =>
  isPlaceholder(address) || samples.texts.includes(address);
