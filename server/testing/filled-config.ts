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
  legal: {
    ...site.legal,
    name: 'Ada Brook Operations GmbH',
    address: ['Lindenweg 4', '10115 Berlin', 'Germany'],
    phone: '+49 30 1234567',
    register: 'Amtsgericht Berlin, HRB 12345',
    vatId: 'DE123456789',
    responsible: 'Ada Brook',
    providers: ['Hetzner Online GmbH, Gunzenhausen, runs the server of this site.'],
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
