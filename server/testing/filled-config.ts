/** For tests: a site config in which the owner has replaced every sample. */
import { site } from './sample-config.ts';

const quote = (name: string) => ({
  quote: `We know what happens next now, and it happens. ${name}`,
  name,
  role: 'Founder, North & Co',
  photo: '',
});

export const filled: typeof site = {
  ...site,
  brand: { ...site.brand, name: 'Ada Brook', email: 'ada@adabrook.com' },
  seo: { ...site.seo, title: 'Ada Brook · Operations for online businesses' },
  links: {
    instagram: 'https://www.instagram.com/adabrook',
    linkedin: 'https://www.linkedin.com/in/adabrook',
    quiz: 'https://adabrook.typeform.com/email',
    checkout: 'https://buy.stripe.com/7sI5m23kQ9dFa0E144',
  },
  schedulers: {
    strategyCall: 'https://cal.com/adabrook/strategy',
    inboxReview: 'https://cal.com/adabrook/inbox',
  },
  testimonials: { ...site.testimonials, quotes: ['Lea North', 'Jo West', 'Kim East'].map(quote) },
  about: {
    ...site.about,
    name: 'Ada Brook',
    photo: '',
    text: ['I’m Ada.', ...site.about.text.slice(1)],
    timetable: {
      ...site.about.timetable,
      rows: [{ when: '2017', what: 'The first business I put in order: my own' }],
    },
  },
};
