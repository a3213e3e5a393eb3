import { Box, Button, Flex, Grid, Link, Text } from '@chakra-ui/react';
import { type FormEvent, useEffect, useId, useRef } from 'react';
import type { Inputs } from '../../server/contract/api.ts';
import { eachField } from '../../server/contract/contact-fields.ts';
import { honeypot } from '../../server/contract/honeypot.ts';
import { mailto } from '../../server/contract/mailto.ts';
import { site } from '../../site.config.ts';
import { ApiProvider } from '../api/provider.tsx';
import { errorResponseOf, trpc } from '../api/trpc.ts';
import { closeProps } from '../ui/invoker.ts';
import { words } from '../ui/site-words.ts';
import { type Draft, persistDraft } from './draft.ts';
import { ContactFields } from './fields.tsx';
import { useToast } from './toast.tsx';

const copy = words.contactPages;

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
  const { toast, show: showToast } = useToast();
  const isSending = useRef(false);
  const root = useRef<HTMLFormElement>(null);
  const draft = useRef<Draft>(undefined);
  const { mutate, isPending, error, variables } = trpc.contact.submit.useMutation({
    // A function, so that the key is that of the draft when it is sent.
    trpc: { context: { headers: () => ({ 'Idempotency-Key': draft.current?.key() ?? '' }) } },
  });
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
    mutate(messageIn(form), {
      onSuccess: () => {
        form.reset();
        form.closest('dialog')?.close();
        showToast(copy.sent);
        draft.current?.next();
      },
      onError: (error) => {
        console.error(error);
        // The visitor may have closed the dialog, which has the alert.
        const dialog = form.closest('dialog');
        if (dialog && !dialog.open) showToast(`${copy.failed} ${site.brand.email}`);
      },
      onSettled: () => {
        isSending.current = false;
      },
    });
  };

  return (
    <>
      {toast}
      <Grid asChild gap="4" mt="4">
        <form
          ref={root}
          action="/api/contact"
          method="post"
          aria-busy={isPending || undefined}
          onSubmit={submit}
        >
          <ContactFields autoFocus isReadOnly={isPending} />
          {error && <ErrorAlert text={variables.message} reason={refusalOf(error)} />}
          <Flex gap="3" mt="1">
            <Button
              type="submit"
              disabled={isPending}
              data-sending={copy.sending}
              css={{
                // A submit before hydration is delayed (`boot/hydrate.ts`); the button shows that.
                '[data-island][aria-busy=true] &': {
                  opacity: 0.6,
                  pointerEvents: 'none',
                  fontSize: '0',
                  // Not the text itself: of a style sheet, any text could end the element.
                  _after: { content: 'attr(data-sending)', fontSize: '1rem' },
                },
              }}
            >
              {isPending ? copy.sending : copy.send}
            </Button>
            <Button variant="plain" asChild>
              <button {...closeProps('contact')}>{copy.cancel}</button>
            </Button>
          </Flex>
        </form>
      </Grid>
    </>
  );
}

/**
 * Whether every required field has more than whitespace, which it removes. The browser reports the first
 * invalid field.
 */
function isFilledIn(form: HTMLFormElement): boolean {
  const fields = form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('[required]');
  for (const field of fields) if (!field.value.trim()) field.value = '';
  return form.reportValidity();
}

type Message = Inputs['contact']['submit'];

function messageIn(form: HTMLFormElement): Message {
  const data = new FormData(form);
  const text = (field: keyof Message) => String(data.get(field) ?? '');
  const trap = text(honeypot);
  // The honeypot is sent only when it has been filled in.
  return { ...eachField(text, text), ...(trap && { [honeypot]: trap }) };
}

/** What to do about a message that the server refuses; undefined when it failed in another way. */
function refusalOf(error: unknown): string | undefined {
  const response = errorResponseOf(error);
  return response && response.status < 500 ? response.sentence : undefined;
}

/** Windows opens no longer address. */
const maxAddressLength = 2000;

/** A mailto link with the message, unless that makes it too long to open. */
function emailAddress(text: string): string {
  const filled = mailto(site.brand.email, { body: text });
  return filled.length > maxAddressLength ? mailto(site.brand.email) : filled;
}

/** The alert in the form that the message was not sent; it takes the focus when it appears. */
function ErrorAlert({ text, reason }: { text: string; reason: string | undefined }) {
  const id = useId();
  return (
    <Box ps="4" borderInlineStart="6px solid" borderColor="line.red" fontWeight="600">
      <Text ref={takeFocus} role="alert" tabIndex={-1} aria-describedby={reason && id}>
        {copy.failed}{' '}
        <Link href={emailAddress(text)} variant="underline">
          {site.brand.email}
        </Link>
      </Text>
      {reason && (
        <Text id={id} mt="1">
          {reason}
        </Text>
      )}
    </Box>
  );
}

const takeFocus = (element: HTMLElement | null) => element?.focus();
