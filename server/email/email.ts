/** A letter to the owner, as it waits in the outbox. */
export interface Email {
  /** Where an answer goes, when not to ourselves. */
  replyTo?: { name: string; address: string };
  subject: string;
  /** Readers who have not got it yet, where others have; undefined: nobody has. */
  remaining?: string[];
  /** Nothing is sent: the mail server is only asked whether it would let us. */
  isDry?: boolean;
  /** The whole letter as plain text. */
  text: string;
  /** The same as HTML. */
  html: string;
}

/** A letter with the name it is queued under: the same name twice is the same letter. */
export interface OutboxEmail extends Email {
  /** Letters, digits, `.` and `-`. */
  id: string;
}

/** What became of a letter. Times are milliseconds since 1970, UTC; an `error` is for the owner's eyes. */
export type Delivery =
  | { state: 'sent'; at: number }
  | { state: 'waiting'; dueAt: number; attempts: number; error: string | null }
  | { state: 'refused'; at: number; error: string | null };

/** HTML whose values are text: whatever stands in `${…}` is escaped, but for what is `html` itself. */
export function html(parts: TemplateStringsArray, ...values: (string | number | Html | Html[])[]) {
  const text = parts.reduce((done, part, i) => `${done}${written(values[i - 1])}${part}`);
  return new Html(text);
}

/** A piece of HTML that is safe to place. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

function written(value: string | number | Html | Html[] | undefined): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(({ text }) => text).join('');
  return String(value ?? '').replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** A whole HTML letter, readable in light and dark. */
export const page = (content: Html): string =>
  html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"></head><body style="font:16px/1.5 system-ui,sans-serif;max-width:38rem;margin:0 auto;padding:1rem">${content}</body></html>`
    .text;
