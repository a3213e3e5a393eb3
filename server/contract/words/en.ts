/**
 * The English words of the site that are no owner's copy. A config says only those that it changes, at the same paths;
 * a word with `{name}` keeps it, since a value takes its place.
 */
import { eachField, nounOf } from '../contact-fields.ts';

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

  /** The imprint: names of what it says about you. */
  imprintPage: {
    description: 'Who is responsible for the site of {name}.',
    name: 'Responsible',
    email: 'Email',
    phone: 'Phone',
    register: 'Register',
    vatId: 'VAT ID',
    responsible: 'Responsible for the texts',
  },

  /** The privacy page, whose parts follow from what the site stores and is connected with. */
  privacyPage: {
    description: 'What the site of {name} stores about you, why and for how long.',
    lead: 'What this site stores about you, why, and for how long. You need no account, and no cookie follows you.',
    stored: 'Stored',
    why: 'Why',
    kept: 'Kept',
    /** Where data are deleted after a time. */
    keptFor: '{period}.',
    responsible: 'Who is responsible',
    visit: 'When you visit',
    visitStored:
      'Each page view and each click on a button: its time, the button, and the site or campaign that sent you. Neither your name nor your network address is stored.',
    visitWhy: 'To see what the site is good for (legitimate interest, GDPR Article 6 (1) f).',
    visitKept: 'For as long as the site exists.',
    totals: 'The totals stay.',
    visitor:
      'To count you once a day, the site makes a code from your network address, your browser and a random key. An hour after midnight UTC the key and all codes are deleted. Nobody can link two of your days.',
    globalPrivacyControl:
      'If your browser sends Global Privacy Control, your visit only adds one to the number of visits left out, and what you send is stored without its source.',
    message: 'When you write to me',
    messageStored: 'Your {required} and its time, and your {optional} if you name it.',
    messageCopy: 'A copy goes to my mailbox.',
    messageWhy:
      'To answer you (steps before a contract, Article 6 (1) b) and to keep out spam (f).',
    messageKept: 'Until I delete your message.',
    spamKept: 'Spam: {period}.',
    call: 'When you book a call',
    callStored:
      'The time of the call, your name, email address, time zone, note and answers, the button that you pressed, and the site or campaign that sent you.',
    callCopy: 'You get a confirmation and a reminder by email, and I get a copy.',
    callWhy: 'To hold the call with you (steps before a contract, Article 6 (1) b).',
    callKept: 'Until I delete your booking.',
    purchase: 'When you buy',
    purchaseStored:
      'Your email address, the amount, refunds, the time, the button that you pressed, and the site or campaign that sent you. Reports of the payment provider can also hold your name, address and the last digits of your card.',
    purchaseWhy:
      'To deliver what you bought (contract, Article 6 (1) b) and to keep accounts (legal obligation, c).',
    purchaseKeptFor: '{period}; then only the amounts stay, without your name.',
    purchaseKept: 'Until I remove your name; the amounts stay.',
    signIn: 'When somebody signs in',
    signInStored:
      'Only I can sign in. Each attempt is stored with its network address, browser, time and result, also in the server’s log.',
    signInWhy: 'To notice attacks (legitimate interest, Article 6 (1) f).',
    floods:
      'Against floods, hashed network addresses that send a lot are kept for up to a day and an hour.',
    browser: 'In your browser',
    cookies: 'No cookies. Only I get some, when I sign in.',
    tab: 'Until you close the tab: a message that you have not sent, and that the quiz was offered.',
    sources:
      'For 30 days: the first and the last site or campaign that sent you, so that a purchase has its source. Not with Global Privacy Control.',
    receivers: 'Who else receives data',
    calendar:
      '{host} shows the calendar. It loads when you open it, and receives your network address and what you enter there.',
    calendarReports:
      'It also receives the button that you pressed and the site or campaign that sent you, and reports to me when you request, book, move or cancel a call.',
    checkout:
      '{host} takes payments. It opens when you choose to buy, and receives what you enter there and the site or campaign that sent you.',
    quiz: '{host} runs the email quiz. It opens in a new tab when you follow its link, and receives nothing before.',
    optIn:
      'A script on the landing page connects to {hosts}, which receives your network address and may set cookies of its own.',
    automation:
      'A service that automates my work receives each message and booking as you send it, and each purchase without your name.',
    rights: 'Your rights',
    request:
      'Write to {email} to get a copy of your data, also as a file for another provider, or to have it corrected, restricted or deleted. You can object to any use that rests on a legitimate interest. I answer within a month.',
    backups: 'Deleted data is gone from the nightly backups after {period}.',
    authority: 'You can also complain to a data protection authority.',
  },

  /** Headings in the summary of the site for programs, at /llms.txt. */
  textFiles: { services: 'Services', book: 'Book or write' },

  /** What a sentence calls the fields of the contact form. */
  contactFields: eachField(nounOf, nounOf),

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

  /** What a visitor reads where a form could not be handled. */
  errors: {
    foreignOrigin: 'This request came from another site. Please use the form on this site.',
    bookingNotFound: 'There is no booking at this address.',
    requestTimeout: 'The request did not arrive in time. Please try again.',
    slotTaken: 'Somebody else just booked this time. Please choose another one.',
    bookingClosed: 'This call can no longer be changed here. Please reply to the email about it.',
    tooLong: 'The message is too long. Please shorten it.',
    rateLimited: 'Too many requests. Please wait a little and try again.',
    textLimitReached:
      'Your network has sent a lot of text today. Please send this message by email instead.',
    formUnavailable: 'This form cannot take your message now. Please send it by email instead.',
    bookingLimitReached:
      'You have booked as many calls as this page takes. Please send an email instead.',
    bookingsPaused:
      'Many calls were booked just now, so this page takes no more for a while. Please send an email with two or three times that suit you.',
    internalError: 'Something went wrong on our side. Please try again.',
    storageUnavailable: 'This cannot be done just now. Please try again in a minute.',
    fillIn: 'Please fill in your {field}.',
    emailMissing: 'Please fill in your e-mail address.',
    emailWrong: 'Please enter an e-mail address such as you@example.com.',
    emailLong: 'Please enter an e-mail address of at most {max} characters.',
    emailDomain: 'Please check your e-mail address: it ends in @{domain}, where no e-mail arrives.',
    emailMeant:
      'Please check your e-mail address: it ends in @{domain}. Did you mean {suggestion}?',
    nameLong: 'Please shorten your name to {max} characters.',
    noteLong: 'Please shorten your answer to {max} characters.',
    answerLong: 'Please shorten your answer to “{question}” to {max} characters.',
    unstorable: 'This text holds a character that cannot be stored.',
    /** Where the page cannot repeat what was typed. */
    goBack: 'Go back in your browser: your text is still in the form.',
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
