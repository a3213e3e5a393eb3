import { Box, Button, Flex, Input, Link } from '@chakra-ui/react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import type { Outputs } from '../../server/contract/api.ts';
import { upcomingInWords } from '../../server/contract/calls.ts';
import { pluralize } from '../../server/contract/numbers.ts';
import { OwnerAlert } from '../admin/alert.tsx';
import { Confirm } from '../admin/confirm.tsx';
import { MainButton } from '../admin/main-button.tsx';
import { Note } from '../admin/panel.tsx';
import { useLeaveWhenSignedOut } from '../admin/session.ts';
import { StatusLine } from '../admin/status-line.tsx';
import { trpc } from '../api/trpc.ts';
import { Field } from '../ui/field.tsx';
import { messageOf } from './message-of.ts';

type Counts = Outputs['people']['find'];

/** Finds the data of a person by email address, downloads and erases it. */
export function PeoplePanel() {
  const { client } = trpc.useUtils();
  const status = useRef<HTMLParagraphElement>(null);
  // Keep no data of a person in memory that is not shown.
  const find = useMutation({
    gcTime: 0,
    mutationFn: async (email: string) => ({
      email,
      counts: await client.people.find.query({ email }),
    }),
    onMutate: () => {
      download.reset();
      erase.reset();
    },
  });
  const download = useMutation({
    gcTime: 0,
    mutationFn: async (email: string) =>
      saveFile(
        `${email.replace(/[^\w.@+-]/g, '_')}.json`,
        await client.people.export.query({ email }),
      ),
  });
  const erase = useMutation({
    gcTime: 0,
    mutationFn: (email: string) => client.people.erase.mutate({ email }),
    onSuccess: () => find.reset(),
  });
  const error = find.error ?? download.error ?? erase.error;
  useLeaveWhenSignedOut(error);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get('email')).trim();
    if (!find.isPending) find.mutate(email);
  };
  const found = find.data;
  const isEmpty = found && partsOf(found.counts).length === 0;
  return (
    <>
      <Note mt="1">
        Somebody may ask what you have stored about them, or to erase it. You have a month.
      </Note>
      <Flex asChild align="end" gap="2" maxW="34rem" mt="4">
        <form onSubmit={submit}>
          <Box flex="1" minW="0">
            <Field label="Email address of the person">
              <Input
                name="email"
                required
                inputMode="email"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                // What is found is of the address that was searched, and must not be erased for another one.
                onChange={() => find.reset()}
              />
            </Field>
          </Box>
          <MainButton type="submit" minH="12" aria-busy={find.isPending}>
            Find
          </MainButton>
        </form>
      </Flex>
      <StatusLine ref={status} overflowWrap="anywhere">
        {statusOf({ found, erased: erase.data, isDownloaded: download.isSuccess })}
      </StatusLine>
      {found && !isEmpty && (
        <Box css={redEdge}>
          <Confirm
            mt="3"
            label="Erase …"
            question={
              <>
                {questionOf(found.counts)}
                {found.counts.upcomingCalls > 0 && (
                  <Link asChild variant="underline">
                    <RouterLink to="/analytics/bookings">Open Bookings</RouterLink>
                  </Link>
                )}
              </>
            }
            confirm="Erase for ever"
            keep="Keep"
            onConfirm={async () => {
              // The error is shown below.
              await erase.mutateAsync(found.email).catch(() => {});
              // The focused button is gone.
              requestAnimationFrame(() => status.current?.focus());
            }}
          >
            <Button
              type="button"
              aria-busy={download.isPending}
              onClick={() => download.isPending || download.mutate(found.email)}
            >
              Download all
            </Button>
          </Confirm>
        </Box>
      )}
      {error && (
        <OwnerAlert role="alert">{messageOf(error, 'It did not work. Try again.')}</OwnerAlert>
      )}
      {erase.data && (
        <Note>
          Earlier backups and your mailbox still hold the person, and so do Stripe and your other
          services. Erase them there as well.
        </Note>
      )}
    </>
  );
}

/** What is stored of a person, such as `2 messages`. */
const partsOf = ({ messages, calls, sales, stripeEvents }: Counts): string[] =>
  [
    messages > 0 && pluralize(messages, 'message'),
    calls > 0 && pluralize(calls, 'call'),
    sales > 0 && pluralize(sales, 'sale'),
    // They belong to sales, so that they are named only without one.
    stripeEvents > 0 &&
      sales === 0 &&
      pluralize(stripeEvents, 'event of Stripe', 'events of Stripe'),
  ].filter((part) => part !== false);

function statusOf({
  found,
  erased,
  isDownloaded,
}: {
  found: { email: string; counts: Counts } | undefined;
  erased: Outputs['people']['erase'] | undefined;
  isDownloaded: boolean;
}): string {
  if (erased) {
    const traces = erased.isWiped
      ? ''
      : ' The database was in use, so that traces of it stay until tonight.';
    return `Erased: ${partsOf(erased).join(', ')}.${traces}`;
  }
  if (!found) return '';
  const parts = partsOf(found.counts).join(', ');
  if (!parts) return `Nothing is stored about ${found.email}.`;
  return `Found: ${parts}.${isDownloaded ? ' The file is in your downloads.' : ''}`;
}

/** `Erase 2 messages and 3 calls for ever? The sale stays without the address: tax law asks for it.` */
function questionOf(counts: Counts): string {
  const { sales, upcomingCalls } = counts;
  const erased = partsOf({ ...counts, sales: 0, stripeEvents: 0 }).join(' and ');
  const stay = sales === 1 ? 'The sale stays' : `The ${sales} sales stay`;
  return [
    erased ? `Erase ${erased} for ever?` : 'Erase the person for ever?',
    ...(sales > 0 ? [`${stay} without the address: tax law asks for it.`] : []),
    // The link to them follows.
    ...(upcomingCalls > 0 ? [`${upcomingInWords(upcomingCalls)} `] : []),
  ].join(' ');
}

/** Saves JSON as a file of the browser. */
function saveFile(name: string, content: unknown): void {
  const text = `${JSON.stringify(content, null, 2)}\n`;
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

const redEdge = {
  '& [role=group]': { borderInlineStart: '6px solid {colors.line.red}', ps: '4' },
  '& [role=group] > p': { flexBasis: 'full' },
};
