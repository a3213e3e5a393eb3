/**
 * Everything on the site that its owner may want to change: words, links, prices, people.
 *
 * Change what stands between the quotes and keep the rest. Addresses that end in ".example" are
 * placeholders: the site works with them, but leaves out what they would show.
 */
export const site = {
  brand: {
    name: 'Rowan Hale',
    tagline: 'Strategic operations partner for scaling digital businesses.',
    /** Messages from visitors who would rather write an e-mail go here. */
    email: 'hello@rowanhale.example',
  },

  /** What search engines and shared links show. */
  seo: {
    title: 'Rowan Hale · Systems and operations for online businesses',
    description:
      'Systems and automation audits, client-journey builds and the infrastructure behind them, for online founders who want their week back.',
  },

  links: {
    instagram: 'https://instagram.example/rowanhale',
    linkedin: 'https://linkedin.example/in/rowanhale',
    /** The 2-minute email quiz; opens in a new tab. */
    quiz: 'https://quiz.example/email-health',
  },

  /** Calendars that visitors book from, shown in a frame (Calendly, Cal.com, TidyCal …). */
  schedulers: {
    strategyCall: 'https://scheduler.example/strategy-call',
    inboxReview: 'https://scheduler.example/inbox-review',
  },

  /** The marketing-automation provider's opt-in script, or '' for none. */
  optInScript: '',
};
