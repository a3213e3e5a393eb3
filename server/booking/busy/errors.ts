/**
 * A calendar that cannot be read. Its message tells the owner what happened and what to do. It never
 * contains the calendar's address, which is a secret: of an address it contains the host name only.
 */
export class CalendarError extends Error {}
