import { chakra } from '@chakra-ui/react';
import { type FormEvent, useRef } from 'react';
import { site } from '../../site.config.ts';
import { ApiProvider } from '../api/provider.tsx';
import { trpc } from '../api/trpc.ts';
import { Button } from '../ui/button.tsx';
import { closes } from '../ui/invoker.ts';
import { toast } from '../ui/toast-queue.ts';
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
  const { mutate, isPending, isError, variables } = trpc.contact.submit.useMutation();
  const isSending = useRef(false);

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (isSending.current || !isFilledIn(form)) return;
    isSending.current = true;
    const message = messageIn(form);
    mutate(message, {
      onSuccess: () => thank(form, message),
      onError: (error) => regret(form, error),
      onSettled: () => {
        isSending.current = false;
      },
    });
  };

  return (
    <chakra.form
      action="/api/contact"
      method="post"
      display="grid"
      gap="4"
      mt="4"
      aria-busy={isPending || undefined}
      onSubmit={send}
    >
      <ContactFields autoFocus />
      {isError && <Regret typed={variables.message} />}
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

type Message = ReturnType<typeof messageIn>;

function messageIn(form: HTMLFormElement) {
  const data = new FormData(form);
  const text = (field: string) => String(data.get(field) ?? '');
  return {
    name: text('name'),
    email: text('email'),
    company: text('company'),
    message: text('message'),
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
