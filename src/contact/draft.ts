/**
 * The draft of the contact form: stored in this tab until it is sent, so that it survives reloads.
 * Its idempotency key is sent with every attempt, so that the server can tell a retry after a lost
 * response from a second message.
 */
import { type FieldName, fieldNames } from '../../server/contract/contact-fields.ts';

type StoredDraft = { key: string } & Partial<Record<FieldName, string>>;

const storageKey = 'contact-draft';

export interface Draft {
  /** The idempotency key of the text that is in the form now, a UUID. */
  key(): string;
  /** Starts the next draft, under a new key, after this one was sent. */
  next(): void;
  /** Stops storing what is typed. */
  stop(): void;
}

/** Restores the stored draft into empty fields, and stores what is typed from now on. */
export function persistDraft(form: HTMLFormElement): Draft {
  const stored = read();
  // The key of the first draft is dated to the page load: typing may have started before this script ran.
  let key = stored?.key ?? createKey(Math.round(performance.timeOrigin));
  for (const { field, name } of fieldsOf(form)) field.value ||= stored?.[name] ?? '';
  const save = () => {
    const texts = fieldsOf(form).map(({ field, name }) => [name, field.value]);
    write(texts.some(([, text]) => text) ? { key, ...Object.fromEntries(texts) } : undefined);
  };
  save();
  form.addEventListener('input', save);
  return {
    key: () => key,
    next() {
      key = createKey(Date.now());
      save();
    },
    stop: () => form.removeEventListener('input', save),
  };
}

function fieldsOf(form: HTMLFormElement) {
  return fieldNames.flatMap((name) => {
    const field = form.elements.namedItem(name);
    return field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
      ? [{ field, name }]
      : [];
  });
}

/**
 * A UUID of version 7, which starts with its time in ms. Browsers have no API for version 7, and
 * `crypto.randomUUID` needs https.
 */
function createKey(time: number): string {
  const hex = (text: string, length: number) => text.padStart(length, '0');
  const timestamp = hex(time.toString(16), 12);
  const random = [...crypto.getRandomValues(new Uint8Array(9))]
    .map((byte) => hex(byte.toString(16), 2))
    .join('');
  const parts = [
    timestamp.slice(0, 8),
    timestamp.slice(8),
    `7${random.slice(0, 3)}`,
    `8${random.slice(3, 6)}`,
  ];
  return [...parts, random.slice(6)].join('-');
}

/** The stored draft; undefined if storage is blocked or holds something else. */
function read(): StoredDraft | undefined {
  try {
    const draft = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null');
    return typeof draft?.key === 'string' ? draft : undefined;
  } catch {
    return undefined;
  }
}

function write(draft: StoredDraft | undefined): void {
  try {
    if (draft) sessionStorage.setItem(storageKey, JSON.stringify(draft));
    else sessionStorage.removeItem(storageKey);
  } catch {
    // Storage is blocked or full: the form works without it.
  }
}
