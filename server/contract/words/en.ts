/**
 * The English words of the site that are no owner's copy. A config says only those that it changes, at the same paths;
 * a word with `{name}` keeps it, since a value takes its place.
 */
export const en = {
  /** Small words on controls. Some are only heard, by people who use a screen reader. */
  labels: {
    /** The way past the menu, for people who use the keyboard. */
    skip: 'Skip to the content',
    mainMenu: 'Main',
    menu: 'Menu',
    close: 'Close',
    newTab: '(opens in a new tab)',
  },

  /** The pages that say who is responsible. */
  legal: {
    /** The names of both pages. */
    imprint: 'Imprint',
    privacy: 'Privacy',
  },

  /** The windows in which visitors book. */
  dialogs: {
    /** Below a calendar. */
    newTab: 'Open the calendar in a new tab',
    orEmail: 'or email me',
    /** In the place of a calendar until it has come. */
    loading: 'Fetching the calendar …',
    /** Below a calendar that has not come after eight seconds. */
    late: 'The calendar is slow to load. Open it in a new tab, or write to me with a few times that work for you.',
  },

  /** What visitors read without a network, in place of a calendar and at a form. Your email address follows. */
  offline: {
    calendar: 'You seem to be offline. The calendar appears here once you are back. Or email me:',
    form: 'You seem to be offline. Nothing was sent: please try again once you are back, or email me:',
  },

  /** The pages on which visitors book, move and cancel a call, unless a calendar elsewhere does. */
  bookingPages: {
    strategyCall: 'Strategy call',
    inboxReview: 'Inbox review',
    minutes: 'minutes',
    zone: 'Times in',
    changeZone: 'Change',
    pickZone: 'Time zone',
    showTimes: 'Show these times',
    choose: 'Choose a time',
    firstFree: 'First free:',
    oneTime: 'time',
    manyTimes: 'times',
    later: 'Later days',
    earlier: 'First days',
    none: 'There is no free time in the next weeks. Send me an email with two or three times that work for you, and I will confirm one.',
    nearest: 'Nearest free times',
    note: 'What hurts most?',
    optional: 'Optional',
    book: 'Book this call',
    promise: 'You can move or cancel the call at any time.',
    noTime: 'No time fits? Email me.',
    confirm: 'Is this right? Press the button once more to book the call.',
    booked: 'Your call is booked.',
    cancelled: 'Your call is cancelled.',
    over: 'This call is over.',
    ownTime: 'My time:',
    addToCalendar: 'Add to your calendar',
    calendarFile: '.ics file',
    move: 'Move this call',
    moveTo: 'Move to this time',
    cancel: 'Cancel this call',
    keep: 'Keep the call',
    sentTo: 'The details are on their way to',
    notSent:
      'No email is sent from here. Please keep the address of this page: it leads to your call.',
    again: 'Book another time',
    questions: 'Short questions, all optional. You can change your answers until the call.',
    save: 'Save answers',
    saved: 'Your answers are saved.',
  },

  /** The emails about a call to the visitor, beside words of the booking pages. */
  emails: {
    change: 'Move or cancel this call',
    /** Without an address of the site there is no link. */
    reply: 'To move or cancel the call, reply to this email.',
    greeting: 'Hello,',
    greetingByName: 'Hello {name},',
    moved: 'Your call has a new time.',
    reminderSubject: 'Reminder: {call}, {when}',
    reminder: 'Your call is on {when}.',
  },

  /** The contact form, and the pages that answer a message sent without JavaScript. */
  contactPages: {
    sentTitle: 'Message sent',
    /** The thank-you, on the page and in the corner of the window. */
    sent: "Thanks for reaching out! I'll get back to you soon.",
    failedTitle: 'Your message was not sent',
    home: 'Back to the site',
    name: 'Name',
    email: 'Email',
    company: 'Company (optional)',
    message: 'Message',
    send: 'Send',
    /** On the button while a message is on its way. */
    sending: 'Sending...',
    cancel: 'Cancel',
    /** After a message that could not be sent. Your email address follows. */
    failed:
      'Sorry, there was an error sending your message. Please try again or email me directly at',
  },
};
