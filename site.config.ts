/**
 * Everything on the site that its owner may want to change: words, links, people.
 *
 * How to change something: replace what stands between the quotes, and keep the quotes, commas and
 * brackets as they are. A quote inside a text is written ’ (like in "I’m"). After a mistake nothing is
 * lost: npm start tells which line to mend. docs/owner.md leads from here to a site that is live.
 *
 * Write '' for what you do not have, such as a profile, a photo or a calendar elsewhere, and [] for a list
 * without entries, such as a day without calls. A photo or a script is a file in the folder public, by its
 * address: '/me.jpg'. Payment Links are listed by their ids: ['plink_1AbC']. Attributes are written in curly
 * brackets: { 'data-uid': 'a1b2c3' }. Hours are '10:00-12:30', dates '2026-12-24' or '2026-12-24/2027-01-01'.
 * Time zones: https://en.wikipedia.org/wiki/List_of_tz_database_time_zones
 *
 * Addresses that end in ".example" are placeholders: calendars and scripts at such an address are left
 * out, links to one lead nowhere yet. The person, the quotes, the years and the legal facts below are
 * samples too. Make them yours: npm run launch-check names each that is left.
 */
export const site = {
  /** Who you are. The name stands in the header, the footer and wherever the site speaks of you. */
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
      'Systems and automation audits, client-journey builds and business infrastructure, for online founders who want their week back.',
    /**
     * A square picture, JPEG or PNG, for browser tabs, bookmarks and home screens. Without one, an icon is drawn in your
     * colours.
     */
    icon: '',
  },

  /** Pages of yours elsewhere. A profile that you do not have is left out. */
  links: {
    instagram: 'https://www.instagram.com/rowanhale.sample',
    linkedin: 'https://www.linkedin.com/in/rowanhale-sample',
    /** The 2-minute email quiz; opens in a new tab. Its popup is left out for an address that ends in .example. */
    quiz: 'https://form.typeform.com/to/rowanhale-sample',
    /** Where your email deliverability audit is paid: a Payment Link of Stripe. Without one, nothing is sold. */
    checkout: 'https://buy.stripe.example/audit',
  },

  /**
   * The Payment Links of Stripe that sell your audit, by their ids, such as plink_1AbC, from the address of
   * the link’s page at Stripe. With none, every checkout of your Stripe account counts as a sale.
   */
  paymentLinks: [],

  /**
   * The currency in which you add up your sales, such as USD or EUR. Sales in other currencies are
   * counted and listed beside it, never converted.
   */
  currency: 'USD',

  /** The language of the small words, such as those of the booking pages, and of dates and numbers. */
  language: 'en',

  /**
   * Addresses of calendars elsewhere that visitors book from, shown in a frame: Calendly, Cal.com, TidyCal
   * and others. Without one, visitors book from the calendar of this site.
   */
  schedulers: {
    strategyCall: '',
    inboxReview: '',
  },

  /**
   * When you take calls, on the calendar of this site. Visitors pick a time in both booking dialogs; a
   * calendar elsewhere takes the place of this one. While the hours are those of the sample, a site that
   * others can open offers no times.
   */
  calls: {
    /** The time zone where you live, such as Europe/London. */
    timeZone: 'Europe/London',
    /** Your hours for calls, by the clock where you live. */
    hours: {
      monday: [],
      tuesday: ['10:00-12:30', '14:00-16:30'],
      wednesday: ['10:00-12:30', '14:00-16:30'],
      thursday: ['10:00-12:30', '14:00-16:30'],
      friday: ['10:00-12:30'],
      saturday: [],
      sunday: [],
    },
    /** Single dates with other hours. */
    special: { '2026-12-23': ['10:00-11:30'] },
    /** Dates without calls: one, or all from the first to the last. */
    closed: ['2026-12-24/2027-01-01'],
    strategyCall: {
      /** How long the call is. */
      minutes: 30,
      /** From one start that is offered to the next. */
      step: 30,
      /** From now to the first time that is offered. */
      notice: '12 hours',
      /** From now to the last time that is offered. */
      horizon: '28 days',
      /** Time to keep free before and after the call. */
      gap: '15 minutes',
      place: 'Video call. I email you the link.',
      /** Asked after the booking; answers are optional. */
      questions: [
        'What do you sell, and to whom?',
        'Which tools do you use every week?',
        'What takes most of your time?',
        'What should be different in three months?',
      ],
    },
    inboxReview: {
      minutes: 45,
      step: 45,
      notice: '24 hours',
      horizon: '28 days',
      gap: '15 minutes',
      place: 'Video call. I email you the link.',
      questions: [
        'Which address do your emails come from?',
        'Which tool sends them?',
        'How many people are on your list?',
        'What did you notice last?',
      ],
    },
  },

  /**
   * The address of your marketing-automation provider’s opt-in script, or the path of a script of this site,
   * such as /opt-in.js.
   */
  optInScript: '',

  /** What the opt-in script needs. Its provider’s instructions say what that is. */
  optIn: {
    /** Attributes of the tag of the script, such as data-uid. */
    attributes: {},
    /** Further hosts that the script connects to, such as https://app.kit.com. */
    hosts: [],
    /** Attributes of the element in which the script shows its form, such as class. */
    place: {},
  },

  /**
   * Each colour has two shades: one for light ground; one for dark mode, and for the dark sections in
   * either mode. A shade is written as # and six digits.
   */
  colours: {
    /** The three lines, one for each service. That of consulting also marks what went wrong. */
    lines: {
      management: { light: '#1D4ED8', dark: '#86A8FF' },
      consulting: { light: '#C2321C', dark: '#FF8F7A' },
      infrastructure: { light: '#0B6B4F', dark: '#5CC8A2' },
    },
    /** The buttons that book a call, and the banner. What is written on them is dark, or light on a dark colour. */
    primary: { light: '#FFCF33', dark: '#FFCF33' },
    /** The same buttons under the mouse. */
    primaryHover: { light: '#F2B90C', dark: '#F2B90C' },
  },

  /** The bar that stays at the top. */
  header: {
    home: 'Home',
    services: 'Services',
    about: 'About',
    contact: 'Contact',
    start: 'Get Started',
  },

  /** The first screen. */
  hero: {
    title: 'Your business, untangled.',
    lead: 'I audit your systems and automations, rebuild your client journey, and put your business infrastructure in order. Fewer tools, nothing dropped, and your week back.',
    action: 'Book a free strategy call',
    link: 'See how it works',
    /** What the picture shows, for people who cannot see it. */
    picture:
      'A knot of five strands runs into one station, the strategy call, and leaves it as five straight tracks:',
    /** The station at which the knot comes undone. */
    interchange: 'Strategy call',
    /** The five tracks that leave the knot, from top to bottom. */
    tracks: ['Leads', 'Booking', 'Onboarding', 'Delivery', 'Billing'],
    facts: [
      { figure: '7+ years', text: 'behind the scenes of online businesses' },
      { figure: '30%', text: 'of SaaS budgets are wasted on unused tools' },
      { figure: '2 minutes', text: 'to check your email marketing’s health' },
    ],
  },

  /** One sentence that says what this is. */
  tagline: 'For digital entrepreneurs whose business outgrew the way it runs.',

  /** The four cards an overwhelmed founder recognizes. */
  pains: {
    title: 'When you are the system, it stops when you do.',
    cards: [
      {
        title: 'Nine tools, none of them talking',
        text: 'A name comes in through one form and you retype it into three other places. Skip one, and a client has paid for a course they cannot open.',
        status: 'Delayed',
      },
      {
        title: 'Leads go cold while you copy and paste',
        text: 'They asked on Friday evening. You saw it on Monday, between two calls. By then they had booked the person who answered.',
        status: 'Missed connection',
      },
      {
        title: 'Every client gets a different welcome',
        text: 'One gets the contract, the invoice and a warm note. The next gets an apology, because the checklist lives in your head.',
        status: 'Diverted',
      },
      {
        title: 'You are the only one who knows how',
        text: 'You have good help. Yet every task starts with “quick question”, so at ten at night you do it yourself.',
        status: 'Single driver',
      },
    ],
    action: 'Find out where it gets stuck',
  },

  /** The yellow banner. */
  freedom: {
    title: 'Freedom is a business that keeps running when you stop.',
    action: 'Plan my way there',
  },

  /** What it costs to leave things as they are: two lists, what is paid and with what. */
  costs: {
    title: 'Doing nothing has a price.',
    lists: [
      {
        title: 'Logistical costs',
        rows: [
          { what: 'Unused tools', price: '30% of SaaS budgets' },
          { what: 'Copy and paste', price: 'hours every week' },
          { what: 'Leads that waited', price: 'gone elsewhere' },
          { what: 'Forgotten invoices', price: 'paid late' },
          { what: 'Onboarding by hand', price: 'done twice' },
        ],
        total: { what: 'Carried forward', price: 'every month' },
      },
      {
        title: 'Emotional costs',
        rows: [
          { what: 'Sunday evenings', price: 'spent on admin' },
          { what: 'Time off', price: 'with the laptop' },
          { what: 'Your best ideas', price: 'still on a list' },
          { what: 'Your patience', price: 'out by Thursday' },
          { what: 'Why you started this', price: 'hard to recall' },
        ],
        total: { what: 'Carried forward', price: 'to next year' },
      },
    ],
    action: 'Stop paying for it',
  },

  /**
   * What clients say. Without a quote, the section is left out. A client without a photo gets a drawn
   * monogram.
   */
  testimonials: {
    title: 'What clients say once it runs.',
    quotes: [
      {
        quote:
          'I used to open my laptop to see what was on fire. The first week nothing was, I thought my notifications were broken.',
        name: 'Maya Sample',
        role: 'Course creator, Example Academy (sample)',
        photo: '/sample-maya.svg',
      },
      {
        quote:
          'Three tools were doing one job, and my welcome email had been off since spring. I would never have looked.',
        name: 'Devon Placeholder',
        role: 'Founder, Placeholder Studio (sample)',
        photo: '/sample-devon.svg',
      },
      {
        quote:
          'When someone asks me how we do things, there is a page for it now. And it is the page we really use.',
        name: 'Ines Specimen',
        role: 'Business coach, Specimen & Co (sample)',
        photo: '/sample-ines.svg',
      },
    ],
  },

  /** The three services; each has exactly four points. */
  services: {
    title: 'Three lines. One network.',
    lead: 'Start where it hurts most. All three are built to connect.',
    management: {
      name: 'System Optimization',
      summary: 'For the business that works, as long as you keep pushing it.',
      points: [
        'An audit of every tool, automation and subscription you pay for',
        'A map of how work moves today, and where it stops',
        'Automations rebuilt, tested, and written down',
        'Duplicate tools merged or canceled, your data moved along',
      ],
      action: 'Talk about my systems',
    },
    consulting: {
      name: 'Digital Experience Builds',
      summary: 'For the business whose clients have to ask what happens next.',
      points: [
        'The client journey drawn from first click to final invoice',
        'Pages, forms and booking that hand over to each other',
        'Onboarding that starts by itself when somebody pays',
        'Email sequences that sound like you and reach the inbox',
      ],
      action: 'Talk about my client journey',
    },
    infrastructure: {
      name: 'Infrastructure Streamlining',
      summary: 'For the business that one locked account could stop.',
      points: [
        'Domains, email sending and accounts in order, and in your name',
        'Files and logins your team can find, and you can revoke',
        'One dashboard with the few numbers you steer by',
        'A handbook for every system, so none depends on one person',
      ],
      action: 'Talk about my infrastructure',
    },
  },

  /** Who the visitor will talk to. */
  about: {
    title: 'One person, from the first call to the last fix.',
    /** Your own name, as search engines shall know you. */
    name: 'Rowan Hale',
    text: [
      'I’m Rowan. For 7+ years I have worked behind the scenes of online businesses, in the automations, inboxes, checkouts and spreadsheets nobody else wants to open.',
      'I work alone, on purpose. The person on your strategy call is the person who draws the map, does the rebuilding, and answers when you write.',
      'I sell no software. Quite often the first fix is to cancel some.',
    ],
    action: 'Meet me on a call',
    /** A picture of you, in the shape 4:5. */
    photo: '/sample-rowan.svg',
    /** Your years, told as a timetable. */
    timetable: {
      title: 'Operations line',
      rows: [
        { when: 'Year 1', what: 'Inboxes, calendars, automations' },
        { when: 'Year 3', what: 'Client journeys, ad to invoice' },
        { when: 'Year 5', what: 'Audits: keep, merge or cancel' },
        { when: 'Year 7+', what: 'Full-stack operations for founders' },
      ],
      next: { when: 'Next stop', what: 'Your business' },
    },
  },

  /** How it works: four steps. */
  steps: {
    title: 'How it works',
    steps: [
      {
        title: "Let's Talk Strategy",
        text: 'Book a free, zero-pressure call. Tell me what hurts, in whatever order it comes out.',
      },
      {
        title: 'Share Your World',
        text: 'Fill out a short form before the call, so we spend our time on answers.',
      },
      {
        title: 'Get the Game Plan',
        text: 'I map out services, pricing and deliverables. You see it all before you decide.',
      },
      {
        title: 'Breathe Easier',
        text: 'You say yes and the fixing starts.',
      },
    ],
    action: 'Book step one',
  },

  /** Questions and answers. A link to one ends with its name, such as /#faq-cost. */
  faq: {
    title: 'Before you book',
    items: [
      {
        id: 'scope',
        question: 'Do you only do operations work?',
        answer:
          'No. I look through a full-stack digital business lens: offer, pages, emails, payments, delivery, and the systems that carry them. A fix in one place should not break another.',
      },
      {
        id: 'assistant',
        question: 'Couldn’t I just hire a virtual assistant?',
        answer:
          'For basic tasks, yes, a VA is a good choice. But an assistant works inside your systems; it takes an expert to build them. I also offer customized optimization plans, so that whoever helps you has something solid to work with.',
      },
      {
        id: 'unknown',
        question: 'What if I don’t know what the problems are?',
        answer:
          'Most founders only know that it is too much. That is enough. We go through your week and your tools, and find the problems together.',
      },
      {
        id: 'platforms',
        question: 'Which platforms do you work with?',
        answer:
          'Close to all the major ones: email, courses, payments, booking, projects, automation. Similar platforms work in similar ways, so one that is new to me is quickly learned.',
      },
      {
        id: 'cost',
        question: 'What does it cost?',
        answer:
          'There is no fixed pricing, because no two tangles are alike. Your plan is tailored to what you need and can spend. The goal is to keep it affordable, and you know the price before anything starts.',
      },
    ],
    action: 'Ask me something else',
  },

  /** The free assessment: a picture that opens the quiz, and the review by a person. */
  assessment: {
    title: 'Email Marketing Health Checker',
    lead: 'Great emails help nobody from inside the spam folder. A free 2-minute assessment shows where yours end up.',
    promises: [
      { title: 'Personalized results', text: 'Your setup, not industry averages.' },
      { title: 'Instant analysis', text: 'On screen when you answer the last question.' },
      { title: 'An action plan', text: 'What to fix first, and what can wait.' },
    ],
    /** The three places an email can end, on the dial. */
    dial: ['Spam', 'Promotions', 'Inbox'],
    action: 'Check my email health',
    review: {
      text: 'Rather have a person look at it with you?',
      action: 'Book an inbox visibility review',
    },
    /** The way to the checkout. It is left out while no checkout is linked. */
    audit: 'Get the deliverability audit',
  },

  /** The end of every page. */
  footer: {
    title: 'Next departure: when you are ready.',
    action: 'Book a free strategy call',
    services: 'Services',
    company: 'Company',
    about: 'About',
    connect: 'Connect',
    instagram: 'Instagram',
    linkedin: 'LinkedIn',
    email: 'Send me an email',
    copyright: '© 2024',
  },

  /**
   * Who is responsible for this site: the pages /imprint and /privacy say so. The rest of /privacy follows from
   * what the site stores and from your settings. What you do not fill in is left out.
   */
  legal: {
    /** Your full name, or that of your company with its legal form. */
    name: 'Rowan Hale',
    /** Your postal address, line by line. */
    address: ['1 Sample Street', 'London', 'United Kingdom'],
    phone: '',
    /** The register of your company, and its number there. */
    register: '',
    vatId: '',
    /** The person who is responsible for the texts, where the law asks for one. */
    responsible: '',
    /** Others who handle data for you, such as your host and mail provider: one sentence each. */
    providers: ['Sample Hosting Ltd, London, runs the server of this site (sample).'],
  },

  /** The windows that open over the page. */
  dialogs: {
    strategyCall: {
      title: 'Book your free strategy call',
      text: 'Pick a time that works for you. No pitch, no pressure.',
    },
    inboxReview: {
      title: 'Book an inbox visibility review',
      text: 'We look at where your emails land, and why.',
    },
    contact: { title: 'Send me a message' },
    quiz: {
      title: 'Are your emails being seen?',
      text: 'Find out in 2 minutes, before you write the next one.',
      action: 'Take the Quiz',
    },
  },

  /** The page shown for an address that does not exist. */
  notFound: {
    title: '404 Page Not Found',
    text: 'Did you forget to add the page to the router?',
    home: 'Back to the start',
  },
};
