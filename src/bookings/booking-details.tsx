import { Box, Button, DataList, Flex, Heading, Link, Span, Text, Textarea } from '@chakra-ui/react';
import type { FormEvent, Ref } from 'react';
import { mailto } from '../../server/contract/mailto.ts';
import { dateAndTime, dateInWords, placeOf, timesInWords } from '../../server/contract/times.ts';
import { callNames } from '../admin/call-names.ts';
import { Confirm } from '../admin/confirm.tsx';
import { buttonName } from '../admin/filter-names.ts';
import { Field } from '../ui/field.tsx';
import { NewTabLink } from '../ui/new-tab-link.tsx';
import { type Booking, problemOf } from './booking.ts';

/** Everything about a booking, and what the owner can do with it. */
export function BookingDetails({
  booking,
  timeZone,
  isUpcoming,
  headingRef,
  onCancel,
  onNote,
}: {
  booking: Booking;
  /** Time zone of the owner. */
  timeZone: string;
  isUpcoming: boolean;
  headingRef: Ref<HTMLHeadingElement>;
  onCancel: () => Promise<void>;
  onNote: (note: string) => Promise<void>;
}) {
  const { name, email, call, source, button, createdAt, note, answers } = booking;
  const problem = problemOf(booking);
  return (
    <Box borderTop="4px solid" borderColor="line.blue" pt="3" overflowWrap="anywhere">
      <Heading as="h2" ref={headingRef} textStyle="h3" tabIndex={-1} outline="none">
        {name}
      </Heading>
      <Link variant="underline" fontWeight="600" href={mailto(email)}>
        {email}
      </Link>
      {problem && (
        <Text color="line.red" fontWeight="600">
          {`${problem}. The address may be mistyped.`}
        </Text>
      )}
      <DataList.Root
        display="grid"
        gridTemplateColumns="5rem minmax(0, 1fr)"
        columnGap="4"
        rowGap="1"
        mt="4"
      >
        <DataList.ItemLabel color="fg.muted">When</DataList.ItemLabel>
        <DataList.ItemValue display="block">
          <span>{`${dateInWords(booking.start, timeZone)}, `}</span>
          <Span whiteSpace="nowrap">{timesInWords(booking.start, booking.end, timeZone)}</Span>
          <VisitorsTime booking={booking} timeZone={timeZone} />
        </DataList.ItemValue>
        <Row label="Call" value={callNames[call]} />
        <Row
          label="Source"
          value={[source ?? 'Direct', button && `button ${buttonName(button)}`]
            .filter(Boolean)
            .join(', ')}
        />
        <Row label="Booked" value={dateAndTime(createdAt, timeZone)} />
        {note && <Row label="Message" value={note} />}
      </DataList.Root>
      {isUpcoming && (
        <Confirm
          label="Cancel call"
          question={`Cancel the call with ${name}?`}
          confirm="Cancel the call"
          keep="Keep it"
          onConfirm={onCancel}
          mt="5"
        >
          {booking.url && (
            <Button asChild>
              <NewTabLink href={`${booking.url}?move`}>Move</NewTabLink>
            </Button>
          )}
        </Confirm>
      )}
      {Object.keys(answers).length > 0 && (
        <Box as="section" aria-labelledby="answers" mt="8">
          <Heading
            as="h3"
            id="answers"
            textStyle="h4"
            pb="2"
            mb="3"
            borderBottom="1px solid"
            borderColor="hairline"
          >
            Share Your World
          </Heading>
          {Object.entries(answers).map(([question, answer]) => (
            <Box key={question} mb="3" maxW="65ch">
              <Text fontWeight="600">{question}</Text>
              <Text whiteSpace="pre-wrap">{answer}</Text>
            </Box>
          ))}
        </Box>
      )}
      <Note booking={booking} onNote={onNote} />
    </Box>
  );
}

const Row = ({ label, value }: { label: string; value: string }) => (
  <>
    <DataList.ItemLabel color="fg.muted">{label}</DataList.ItemLabel>
    <DataList.ItemValue whiteSpace="pre-wrap">{value}</DataList.ItemValue>
  </>
);

const whenOf = (booking: Booking, timeZone: string) =>
  `${dateInWords(booking.start, timeZone)}, ${timesInWords(booking.start, booking.end, timeZone)}`;

/** The time by the visitor's clock, where it differs from the owner's. */
function VisitorsTime({ booking, timeZone }: { booking: Booking; timeZone: string }) {
  const { start, timeZone: theirs } = booking;
  if (whenOf(booking, theirs) === whenOf(booking, timeZone)) return null;
  const isSameDay = dateInWords(start, theirs) === dateInWords(start, timeZone);
  const time = isSameDay
    ? timesInWords(booking.start, booking.end, theirs)
    : whenOf(booking, theirs);
  return (
    <Text textStyle="small" color="fg.muted">
      {`${time} for ${booking.name}, ${placeOf(theirs)}`}
    </Text>
  );
}

function Note({ booking, onNote }: { booking: Booking; onNote: (note: string) => Promise<void> }) {
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void onNote(String(new FormData(event.currentTarget).get('note')));
  };
  return (
    <Flex asChild direction="column" gap="3" mt="6">
      <form onSubmit={save}>
        <Field label="Private note">
          <Textarea
            name="note"
            rows={2}
            placeholder="Only you see this."
            defaultValue={booking.ownerNote ?? ''}
          />
        </Field>
        <Button type="submit" alignSelf="start">
          Save note
        </Button>
      </form>
    </Flex>
  );
}
