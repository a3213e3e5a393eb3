import { chakra } from '@chakra-ui/react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef } from 'react';
import type { Inputs } from '../../server/contract/api.ts';
import { site } from '../../site.config.ts';
import { ApiProvider } from '../api/provider.tsx';
import { trpc } from '../api/trpc.ts';
import { Button } from '../ui/button.tsx';
import { closes } from '../ui/invoker.ts';
import { toast } from '../ui/toast/toast-queue.ts';
import { type DraftKeeper, keepDraft } from './draft.ts';
import { ContactFields } from './fields.tsx';

/**
 * The contact form of the dialog `contact`. Its fields are the browser's own state: what is typed
 * before this wakes is kept, and sent.
 */
export function ContactForm() {
  return (
    <ApiProvider>
      <Form />
    </ApiProvider>
  );
}

function Form() {
  const { client } = trpc.useUtils();
  const { mutate, isPending, isError, variables } = useMutation({
    mutationFn: ({ message, key }: { message: Message; key: string }) =>
      client.contact.submit.mutate(message, { context: { headers: { 'Idempotency-Key': key } } }),
  });
  const isSending = useRef(false);
  const root = useRef<HTMLFormElement>(null);
  const draft = useRef<DraftKeeper>(undefined);
  useEffect(() => {
    if (!root.current) return;
    draft.current = keepDraft(root.current);
    return draft.current.stop;
  }, []);

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (isSending.current || !isFilledIn(form)) return;
    isSending.current = true;
    const message = messageIn(form);
    mutate(
      { message, key: draft.current?.key() ?? '' },
      {
        onSuccess: () => {
          thank(form, message);
          draft.current?.sent();
        },
        onError: (error) => regret(form, error),
        onSettled: () => {
          isSending.current = false;
        },
      },
    );
  };

  return (
    <chakra.form
      ref={root}
      action="/api/contact"
      method="post"
      display="grid"
      gap="4"
      mt="4"
      aria-busy={isPending || undefined}
      onSubmit={send}
    >
      <ContactFields autoFocus />
      {isError && <Regret typed={variables.message.message} />}
      <chakra.div display="flex" gap="3" mt="1">
        <Button
          type="submit"
          disabled={isPending}
          css={{
            // Pressed before the island lives: it is held, and says so.
            '[data-island][aria-busy=true] &': {
              opacity: 0.6,
              pointerEvents: 'none',
              fontSize: '0',
              _after: { content: '"Sending..."', fontSize: '1rem' },
            },
          }}
        >
          {isPending ? 'Sending...' : site.contactPages.send}
        </Button>
        <Button variant="link" asChild>
          <button {...closes('contact')}>Cancel</button>
        </Button>
      </chakra.div>
    </chakra.form>
  );
}

/** Whether the fields that must hold something hold more than blanks; if not, the browser says where. */
function isFilledIn(form: HTMLFormElement): boolean {
  const fields = form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('[required]');
  for (const field of fields) {
    if (field.value.trim()) continue;
    field.setCustomValidity('Please fill in this field.');
    field.addEventListener('input', () => field.setCustomValidity(''), { once: true });
  }
  return form.reportValidity();
}

type Message = Inputs['contact']['submit'];

function messageIn(form: HTMLFormElement): Message {
  const data = new FormData(form);
  const text = (field: keyof Message) => String(data.get(field) ?? '');
  const hq7x = text('hq7x');
  return {
    name: text('name'),
    email: text('email'),
    company: text('company'),
    message: text('message'),
    // Nobody sees that field, so a person's message has none.
    ...(hq7x && { hq7x }),
  };
}

/** Whoever has written on meanwhile keeps what they write, and the dialog they write in. */
function thank(form: HTMLFormElement, sent: Message) {
  const isStillThat = JSON.stringify(messageIn(form)) === JSON.stringify(sent);
  if (isStillThat) form.reset();
  form.dispatchEvent(new Event('sent', { bubbles: true }));
  if (isStillThat) form.closest('dialog')?.close();
  toast({ text: "Thanks for reaching out! I'll get back to you soon.", kind: 'alert' });
}

const regrets =
  'Sorry, there was an error sending your message. Please try again or email me directly at';

function regret(form: HTMLFormElement, error: unknown) {
  console.error(error);
  // The visitor may have closed the dialog meanwhile.
  const dialog = form.closest('dialog');
  if (dialog && !dialog.open) toast({ text: `${regrets} ${site.brand.email}`, kind: 'alert' });
}

/** Says in the form that the message was not sent. It takes the focus as it appears. */
function Regret({ typed }: { typed: string }) {
  const address = `mailto:${site.brand.email}?body=${encodeURIComponent(typed)}`;
  return (
    <chakra.p
      ref={takeFocus}
      role="alert"
      tabIndex={-1}
      ps="4"
      borderInlineStart="6px solid"
      borderColor="line.red"
      fontWeight="600"
    >
      {regrets}{' '}
      <chakra.a href={address} textDecoration="underline">
        {site.brand.email}
      </chakra.a>
    </chakra.p>
  );
}

const takeFocus = (element: HTMLElement | null) => element?.focus();
