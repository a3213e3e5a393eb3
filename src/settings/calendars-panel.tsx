import { Box, List, Text } from '@chakra-ui/react';
import { pluralize } from '../../server/contract/numbers.ts';
import { OwnerAlert } from '../admin/alert.tsx';
import { Confirm } from '../admin/confirm.tsx';
import { Details } from '../admin/details.tsx';
import { Note } from '../admin/panel.tsx';
import { trpc } from '../api/trpc.ts';
import {
  ConnectionStatus,
  CouldNotLoad,
  dashed,
  LockedField,
  SecretForm,
} from './connection-parts.tsx';
import { CopyField } from './copy-field.tsx';
import { type Connection, useConnection } from './use-connection.ts';
import { inText, whenInWords } from './when.ts';

type Calendar = NonNullable<Connection['items']>[number];

/** The owner’s other calendars: adds and removes them, and gives the address of the calls of this site. */
export function CalendarsPanel() {
  const calendars = useConnection('busyCalendars');
  const feed = trpc.booking.list.useQuery({ state: 'upcoming' }).data?.feed;
  const { connection } = calendars;
  if (calendars.isMissing) return <CouldNotLoad />;
  if (!connection) return null;
  const { state, items = [], problem } = connection;
  const isSaidBelow = items.some((item) => item.problem !== undefined);
  return (
    <>
      <Note mt="1">Where you are busy, no call can be booked. Titles are not read.</Note>
      {state === 'environment' ? (
        <LockedField label="Your calendars" connection={connection} />
      ) : (
        problem !== undefined && !isSaidBelow && <OwnerAlert role="alert">{problem}</OwnerAlert>
      )}
      <List.Root as="ul" maxW="48rem" mt="2">
        {items.map((calendar) => (
          <Row
            key={calendar.id}
            calendar={calendar}
            onRemove={() =>
              calendars.set(
                { remove: calendar.id },
                { at: 'panel', say: () => `${calendar.hint} was removed.` },
              )
            }
          />
        ))}
      </List.Root>
      {state !== 'environment' && (
        <>
          <SecretForm
            label="Add a calendar"
            placeholder="Paste its secret iCal address"
            submit="Try and save"
            error={calendars.errorAt('form')}
            isBusy={calendars.isBusy}
            onTry={(add) => calendars.set({ add: add.replace(/^webcals:/i, 'webcal:') })}
          />
          <ConnectionStatus of={calendars} />
          <Details mt="0">
            <summary>Where to find the address</summary>
            <List.Root as="ul" textStyle="small" listStyleType="disc" ps="5" maxW="65ch">
              {places.map(([provider, way]) => (
                <List.Item key={provider} mb="2">
                  <b>{provider}</b>
                  <span>{`: ${way}`}</span>
                </List.Item>
              ))}
            </List.Root>
          </Details>
        </>
      )}
      {feed !== undefined && (
        <Box maxW="48rem" mt="6" pt="5" borderTop="1px solid" borderColor="hairline">
          <CopyField
            label="See your calls in your own calendar"
            value={`${location.origin}${feed}`}
            {...dashed}
          />
          <Note mt="0">Subscribe to it by URL there. Whoever has the address sees your calls.</Note>
        </Box>
      )}
    </>
  );
}

function Row({
  calendar: { hint, checkedAt, problem, busyTimes },
  onRemove,
}: {
  calendar: Calendar;
  onRemove: () => Promise<unknown>;
}) {
  return (
    <List.Item
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      justifyContent="space-between"
      columnGap="4"
      rowGap="2"
      py="3"
      borderBottom="1px solid"
      borderColor="hairline"
    >
      <Box flex="1 1 12rem" minW="0">
        <Text overflowWrap="anywhere">
          <b>{providerAt(hint)}</b> <span>{hint}</span>
        </Text>
        {problem === undefined ? (
          <Text textStyle="small" color="fg.muted">
            {readSentence(checkedAt, busyTimes)}
          </Text>
        ) : (
          <Text textStyle="small" color="line.red" fontWeight="600">
            {problem}
          </Text>
        )}
      </Box>
      <Confirm
        label="Remove"
        name={`Remove ${hint}`}
        question="Remove this calendar? Its busy times can be booked then."
        confirm="Remove"
        keep="Keep it"
        onConfirm={async () => {
          await onRemove();
        }}
      />
    </List.Item>
  );
}

function readSentence(checkedAt: string | undefined, busyTimes = 0): string {
  if (checkedAt === undefined) return 'Being read for the first time …';
  const when = inText(whenInWords(checkedAt, Date.now()));
  return `${pluralize(busyTimes, 'busy time')} in the next seven days. Read ${when}.`;
}

const hosts: [RegExp, string][] = [
  [/(^|\.)google\.com$/, 'Google'],
  [/(^|\.)(outlook\.com|office365\.com|office\.com|live\.com)$/, 'Outlook'],
  [/(^|\.)icloud\.com$/, 'iCloud'],
  [/(^|\.)(fastmail\.com|messagingengine\.com|user\.fm)$/, 'Fastmail'],
];

/** Whose calendar it is, as far as its host says. */
const providerAt = (host: string): string =>
  hosts.find(([pattern]) => pattern.test(host))?.[1] ?? 'Calendar';

/** Where the address is, in the words of each provider’s own page. */
const places = [
  [
    'Google',
    'on a computer, Settings, your calendar, Integrate calendar, “Secret address in iCal format”.',
  ],
  [
    'Outlook and Microsoft 365',
    'Settings, Calendar, Shared calendars, Publish a calendar, “Can view when I’m busy”, Publish, the ICS link.',
  ],
  ['iCloud', 'the share button beside the calendar, Public Calendar, Copy Link.'],
  [
    'Fastmail',
    'Settings, Calendars, Edit & Share, tick the sharing of free/busy times, copy the URL, Save.',
  ],
] as const;
