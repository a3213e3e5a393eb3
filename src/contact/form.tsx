import { chakra } from '@chakra-ui/react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef } from 'react';
import type { Inputs } from '../../server/contract/api.ts';
import { site } from '../../site.config.ts';
import { ApiProvider } from '../api/provider.tsx';
import { trpc } from '../api/trpc.ts';
import { Button } from '../ui/button.tsx';
import { closeProps } from '../ui/invoker.ts';
import { toast } from '../ui/toast/toast-queue.ts';
import { type Draft, persistDraft } from './draft.ts';
import { ContactFields } from './fields.tsx';

/**
 * The contact form of the dialog `contact`. Its fields are uncontrolled, so that text typed before
 * hydration is kept and sent.
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
  const draft = useRef<Draft>(undefined);
  useEffect(() => {
    if (!root.current) return;
    draft.current = persistDraft(root.current);
    return draft.current.stop;
  }, []);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (isSending.current || !isFilledIn(form)) return;
    isSending.current = true;
    const message = messageIn(form);
    mutate(
      { message, key: draft.current?.key() ?? '' },
      {
        onSuccess: () => {
          handleSuccess(form, message);
          draft.current?.next();
        },
        onError: (error) => handleError(form, error),
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
      onSubmit={submit}
    >
      <ContactFields autoFocus />
      {isError && <ErrorAlert text={variables.message.message} />}
      <chakra.div display="flex" gap="3" mt="1">
        <Button
          type="submit"
          disabled={isPending}
          css={{
            // A submit before hydration is delayed (`boot/hydrate.ts`); the button shows that.
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
          <button {...closeProps('contact')}>Cancel</button>
        </Button>
      </chakra.div>
    </chakra.form>
  );
}

/** Whether every required field has more than whitespace. The browser reports the first invalid field. */
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
    // The honeypot: sent only when it has been filled in.
    ...(hq7x && { hq7x }),
  };
}

/** Shows the thank-you. Resets and closes the form unless the visitor has edited it since the submit. */
function handleSuccess(form: HTMLFormElement, sent: Message) {
  const isUnchanged = JSON.stringify(messageIn(form)) === JSON.stringify(sent);
  if (isUnchanged) form.reset();
  form.dispatchEvent(new Event('sent', { bubbles: true }));
  if (isUnchanged) form.closest('dialog')?.close();
  toast({ text: "Thanks for reaching out! I'll get back to you soon.", kind: 'alert' });
}

const failureText =
  'Sorry, there was an error sending your message. Please try again or email me directly at';

/** Logs the error. Shows it in a toast if the visitor has closed the dialog since the submit. */
function handleError(form: HTMLFormElement, error: unknown) {
  console.error(error);
  const dialog = form.closest('dialog');
  if (dialog && !dialog.open) toast({ text: `${failureText} ${site.brand.email}`, kind: 'alert' });
}

/** The alert in the form that the message was not sent; it takes the focus when it appears. */
function ErrorAlert({ text }: { text: string }) {
  const href = `mailto:${site.brand.email}?body=${encodeURIComponent(text)}`;
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
      {failureText}{' '}
      <chakra.a href={href} textDecoration="underline">
        {site.brand.email}
      </chakra.a>
    </chakra.p>
  );
}

const takeFocus = (element: HTMLElement | null) => element?.focus();
