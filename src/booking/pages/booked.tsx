/**
 * The page of a booking: when and where, its entry for calendars, and how to move or cancel it. The
 * visitor's answers to the questions of "Share Your World" are kept with it.
 */
import { Box, Button, chakra, Flex, Heading, Link, Span, Text, Textarea } from '@chakra-ui/react';
import type { BookedVariables } from '../../../server/contract/pages.ts';
import { site } from '../../../site.config.ts';
import { words } from '../../ui/site-words.ts';
import { templateOf } from '../../ui/template.tsx';
import { Foot, PickTime } from './book.tsx';
import { BookingLayout, ErrorMessage, OfflineNotice, PageTitle, Rule } from './layout.tsx';

const copy = words.bookingPages;

const { value, If, Unless } = templateOf<BookedVariables>();
const { steps } = site.steps;

export function BookedPage() {
  return (
    <BookingLayout name={value('headline')} title={<PageTitle>{value('headline')}</PageTitle>}>
      <ErrorMessage />
      <If name="isMoving">
        <PickTime>
          <Box>
            <input type="hidden" name="action" value="move" />
            <Box mb="5">
              <When />
            </Box>
            <Foot action={copy.moveTo} />
            <Text mt="4">
              <Link href={value('self')} variant="underline">
                {copy.keep}
              </Link>
            </Text>
          </Box>
        </PickTime>
      </If>
      <Unless name="isMoving">
        <If name="isUpcoming">
          <Steps />
        </If>
        <Columns>
          <Details />
          <Questions />
        </Columns>
      </Unless>
    </BookingLayout>
  );
}

/** The four steps of "How it works": the first one is done. */
const Steps = () => (
  <StepList>
    {steps.map(({ title }, i) => (
      <li key={title} aria-current={i === 1 ? 'step' : undefined}>
        {title}
      </li>
    ))}
  </StepList>
);

const When = () => (
  <>
    <Text textStyle="h4">{value('date')}</Text>
    <Text fontWeight="600">{value('times')}</Text>
    <If name="ownTimes">
      <Text color="fg.muted">
        {copy.ownTime} {value('ownTimes')}
      </Text>
    </If>
  </>
);

const Details = () => (
  <Box css={{ '--rule': 'colors.primary' }}>
    <Rule />
    <When />
    <If name="isUpcoming">
      <Text mt="3" overflowWrap="anywhere">
        <Unless name="placeLink">{value('place')}</Unless>
        <If name="placeLink">
          <Link href={value('placeLink')} variant="underline" target="_blank" rel="noopener">
            {value('place')}
          </Link>
        </If>
      </Text>
      <Heading as="h2" textStyle="body" fontWeight="600" mt="5" mb="2">
        {copy.addToCalendar}
      </Heading>
      <Flex wrap="wrap" gap="2">
        <CalendarLink href={value('googleLink')}>Google</CalendarLink>
        <CalendarLink href={value('outlookLink')}>Outlook</CalendarLink>
        <Button asChild>
          <a href={value('icsLink')} download="">
            {copy.calendarFile}
          </a>
        </Button>
      </Flex>
      <Text mt="5">
        <Link href={value('moveLink')} variant="underline" fontWeight="600">
          {copy.move}
        </Link>
      </Text>
      <Cancel>
        <summary>{copy.cancel}</summary>
        <form method="post">
          <input type="hidden" name="action" value="cancel" />
          <OfflineNotice />
          <Button type="submit">{copy.cancel}</Button>
        </form>
      </Cancel>
      <Text textStyle="small" color="fg.muted" mt="5" overflowWrap="anywhere">
        <If name="isMailed">
          {copy.sentTo} {value('email')}.
        </If>
        <Unless name="isMailed">{copy.notSent}</Unless>
      </Text>
    </If>
    <Unless name="isUpcoming">
      <Text mt="5">
        <Link href={value('bookLink')} variant="underline" fontWeight="600">
          {copy.again}
        </Link>
      </Text>
    </Unless>
  </Box>
);

const CalendarLink = ({ href, children }: { href: string; children: string }) => (
  <Button asChild>
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  </Button>
);

/** Step 2 of "How it works". */
const Questions = () => (
  <If name="hasQuestions">
    <Box id="answers">
      <Heading as="h2" textStyle="h3" mb="1">
        {steps[1]?.title}
      </Heading>
      <Text color="fg.soft" mb="4">
        {copy.questions}
      </Text>
      <If name="isSaved">
        <Text role="status" fontWeight="600" mb="4">
          {copy.saved}
        </Text>
      </If>
      <Flex asChild direction="column" gap="4">
        <form method="post">
          <input type="hidden" name="action" value="answers" />
          <If name="questions">
            {/* Not a Field: its ids would be the same for each question. */}
            <Box as="label">
              <Span display="block" mb="1" fontWeight="600">
                {value('question')}
              </Span>
              <Textarea name={value('field')} rows={2} defaultValue={value('answer')} />
            </Box>
          </If>
          <If name="isUpcoming">
            <OfflineNotice />
            <Button type="submit" alignSelf="start">
              {copy.save}
            </Button>
          </If>
        </form>
      </Flex>
    </Box>
  </If>
);

const Columns = chakra('div', {
  base: {
    display: 'grid',
    gap: '8',
    '@media (min-width: 40em)': { gridTemplateColumns: '5fr 6fr', columnGap: '12' },
  },
});

/** Two presses: a slip of the finger cancels nothing. */
const Cancel = chakra('details', {
  base: {
    mt: '3',
    '& summary': {
      w: 'fit-content',
      fontWeight: '600',
      textDecoration: 'underline',
      cursor: 'pointer',
      listStyle: 'none',
    },
    '& summary::-webkit-details-marker': { display: 'none' },
    '& form': { mt: '3' },
  },
});

/** Stations on a line: done, current, to come. */
const StepList = chakra('ol', {
  base: {
    display: 'flex',
    flexWrap: 'wrap',
    columnGap: '6',
    rowGap: '2',
    mb: '6',
    p: '0',
    listStyle: 'none',
    textStyle: 'small',
    color: 'fg.muted',
    '& li': { display: 'flex', alignItems: 'center', gap: '2' },
    '& li::before': {
      content: '""',
      boxSize: '16px',
      borderRadius: '8px',
      border: '4px solid {colors.field}',
    },
    '& li:first-child::before': { borderColor: 'line.green', bg: 'line.green' },
    '& [aria-current]': { color: 'fg', fontWeight: '600' },
    '& [aria-current]::before': { borderColor: 'fg' },
  },
});
