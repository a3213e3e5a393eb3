/** An email as stored in the outbox. */
export interface Email {
  /** The visitor to whom it goes; undefined: the owner. Its id starts with `visitor-`. */
  to?: { name: string; address: string };
  /** To whom replies go. */
  replyTo?: { name: string; address: string };
  subject: string;
  /** Recipients still to be served after a partial delivery; undefined: all of them. */
  remaining?: string[];
  /** Dry run: connects and authenticates with the mail server, and sends nothing. */
  isDry?: boolean;
  /** The body as plain text. */
  text: string;
  /** The body as a complete HTML document. */
  html: string;
  /** A calendar file (iCalendar): with a method an invitation, without one an attachment. */
  calendar?: { method?: 'REQUEST' | 'CANCEL'; content: string };
}

/** An email with the id that makes queueing idempotent: an id is queued once. */
export interface OutboxEmail extends Email {
  /** Letters, digits, `.` and `-`. */
  id: string;
}

/** Delivery state of an email. Times are milliseconds since 1970, UTC; show `error` to the owner only. */
export type Delivery =
  | { state: 'sent'; at: number }
  | { state: 'waiting'; dueAt: number; attempts: number; error: string | null }
  | { state: 'refused'; at: number; error: string | null };

/** Template tag that returns HTML. Escapes each value, unless it is the result of `html` itself. */
export function html(parts: TemplateStringsArray, ...values: (string | number | Html | Html[])[]) {
  const text = parts.reduce((result, part, i) => `${result}${escaped(values[i - 1])}${part}`);
  return new Html(text);
}

/** Escaped HTML. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

function escaped(value: string | number | Html | Html[] | undefined): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(({ text }) => text).join('');
  return String(value ?? '').replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Returns a complete HTML document for an email, for light and dark mode. */
export const page = (content: Html): string =>
  html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"></head><body style="font:16px/1.5 system-ui,sans-serif;max-width:38rem;margin:0 auto;padding:1rem">${content}</body></html>`
    .text;
