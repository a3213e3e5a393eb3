/**
 * The people, words and addresses that `site.config.ts` is shipped with, which are nobody's. They are
 * looked for by value, wherever in the file they stand. `server/testing/sample-config.ts` has them all; the test
 * fails when that has one that is not here, or lacks one that is.
 */
export const samples = {
  /** Nobody's name; other texts are looked through for its words. */
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
    'Inboxes, calendars, automations',
    'Client journeys, ad to invoice',
    'Audits: keep, merge or cancel',
    'Full-stack operations for founders',
  ],
};
