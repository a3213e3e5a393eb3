/**
 * What somebody is writing in the contact form, until it was sent: kept over reloads, in this tab only,
 * under a key that every try of it carries. So the server knows a try after a lost answer from a second
 * message.
 */

/** The fields that are kept. */
const fields = ['name', 'email', 'company', 'message'] as const;

type Draft = { key: string } & Partial<Record<(typeof fields)[number], string>>;

const place = 'contact-draft';

export interface DraftKeeper {
  /** The key of what stands in the form now. */
  key(): string;
  /** It was sent: what stands in the form from now on is another draft. */
  sent(): void;
  /** Keeps nothing more. */
  stop(): void;
}

/** Brings back what was being written, into fields that are empty, and keeps what is written from now on. */
export function keepDraft(form: HTMLFormElement): DraftKeeper {
  const stored = read();
  // The first draft is as old as the page, since it may have been begun before this script came.
  let key = stored?.key ?? keyAt(Math.round(performance.timeOrigin));
  for (const { field, name } of fieldsOf(form)) field.value ||= stored?.[name] ?? '';
  const keep = () => {
    const texts = fieldsOf(form).map(({ field, name }) => [name, field.value]);
    write(texts.some(([, text]) => text) ? { key, ...Object.fromEntries(texts) } : undefined);
  };
  keep();
  form.addEventListener('input', keep);
  return {
    key: () => key,
    sent() {
      key = keyAt(Date.now());
      keep();
    },
    stop: () => form.removeEventListener('input', keep),
  };
}

function fieldsOf(form: HTMLFormElement) {
  return fields.flatMap((name) => {
    const field = form.elements.namedItem(name);
    return field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
      ? [{ field, name }]
      : [];
  });
}

/** A UUID of version 7, which begins with its time. Browsers make none, and any at all on https only. */
function keyAt(time: number): string {
  const hex = (text: string, length: number) => text.padStart(length, '0');
  const begin = hex(time.toString(16), 12);
  const random = [...crypto.getRandomValues(new Uint8Array(9))]
    .map((byte) => hex(byte.toString(16), 2))
    .join('');
  const parts = [
    begin.slice(0, 8),
    begin.slice(8),
    `7${random.slice(0, 3)}`,
    `8${random.slice(3, 6)}`,
  ];
  return [...parts, random.slice(6)].join('-');
}

/** Storage may be blocked, full or filled by another: then nothing is kept, and nothing breaks. */
function read(): Draft | undefined {
  try {
    const draft = JSON.parse(sessionStorage.getItem(place) ?? 'null');
    return typeof draft?.key === 'string' ? draft : undefined;
  } catch {
    return undefined;
  }
}

function write(draft: Draft | undefined): void {
  try {
    if (draft) sessionStorage.setItem(place, JSON.stringify(draft));
    else sessionStorage.removeItem(place);
  } catch {
    // The form works without.
  }
}
