import { Box, chakra, Heading, Span, VisuallyHidden } from '@chakra-ui/react';
import { useId } from 'react';
import { dateAndTime } from '../../server/contract/times.ts';
import { drawn, stop } from '../theme/stop.ts';
import { deliveryProblemOf, type Folder, type Message, optionalTextsOf } from './message.ts';
import { MessageText, type Sort } from './message-text.tsx';

/** The colour of each folder's list. */
const colours: Record<Folder, string> = {
  inbox: '{colors.line.blue}',
  archive: '{colors.line.green}',
  spam: '{colors.line.red}',
};

/** The HTML id of a message's button, used to move the focus. */
export const buttonId = ({ id }: Pick<Message, 'id'>) => `message-${id}`;

/** A list of messages; a filled marker means unread. The open message shows its full text. */
export function MessageList({
  title,
  messages,
  folder,
  openId,
  isMailed,
  onToggle,
  onSort,
}: {
  title: string;
  messages: Message[];
  folder: Folder;
  openId: string | undefined;
  isMailed: boolean;
  onToggle: (message: Message) => void;
  onSort: Sort;
}) {
  const id = useId();
  if (messages.length === 0) return null;
  return (
    <Box as="section" aria-labelledby={id} mt="3" css={{ '& + &': { mt: '8' } }}>
      <Heading id={id} textStyle="h3" mb="3">
        {title}
      </Heading>
      <chakra.ol css={{ '--track': colours[folder] }}>
        {messages.map((message) => (
          <Item key={message.id} data-unread={!message.isRead || undefined}>
            <Summary
              message={message}
              isOpen={message.id === openId}
              onToggle={() => onToggle(message)}
            />
            {message.id === openId && (
              <MessageText message={message} isMailed={isMailed} onSort={onSort} />
            )}
          </Item>
        ))}
      </chakra.ol>
    </Box>
  );
}

function Summary({
  message,
  isOpen,
  onToggle,
}: {
  message: Message;
  isOpen: boolean;
  onToggle: () => void;
}) {
  const { name, receivedAt, isRead } = message;
  const others = optionalTextsOf(message)
    .map((text) => `, ${text}`)
    .join('');
  const problem = deliveryProblemOf(message);
  return (
    <Heading as="h3" fontWeight="inherit">
      <SummaryButton
        type="button"
        id={buttonId(message)}
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${buttonId(message)}-text` : undefined}
        onClick={onToggle}
      >
        <Span gridArea="sender" className="sender">
          {!isRead && <VisuallyHidden>Unread: </VisuallyHidden>}
          <span>{name}</span>
          {others && (
            <Span color="fg.muted" fontWeight="400">
              {others}
            </Span>
          )}
        </Span>
        <Span gridArea="preview" className="preview" aria-hidden={isOpen || undefined}>
          {isOpen ? '' : previewOf(message)}
        </Span>
        <Span gridArea="time" textStyle="small" color="fg.muted" textAlign={{ lg: 'end' }}>
          {problem && (
            <Span color="line.red" fontWeight="700" me="3">
              {problem}
            </Span>
          )}
          <time dateTime={receivedAt}>{dateAndTime(receivedAt)}</time>
        </Span>
      </SummaryButton>
    </Heading>
  );
}

/** The first 200 characters on one line. */
const previewOf = ({ message }: Message) => message.slice(0, 200).replace(/\s+/g, ' ');

const markerSize = '1.125rem';

const Item = chakra('li', {
  base: {
    position: 'relative',
    ps: { base: '7', sm: '10' },
    // The vertical line and the marker on it.
    _before: {
      ...drawn,
      insetInlineStart: `calc(${markerSize} / 2 - 2.5px)`,
      insetBlock: '0',
      w: '5px',
      bg: 'var(--track)',
    },
    _after: {
      ...stop({ size: 18 }),
      boxSize: markerSize,
      insetInlineStart: '0',
      top: '1.05rem',
    },
    '&[data-unread]': { _after: { bg: 'var(--track)' }, '& .sender': { fontWeight: '700' } },
    '&:first-of-type': { _before: { top: '1.4rem' } },
    '&:last-of-type': { _before: { bottom: 'auto', height: '1.4rem' } },
    '&:only-child': { _before: { display: 'none' } },
    '@media (forced-colors: active)': {
      '&[data-unread]': { _after: { forcedColorAdjust: 'none', bg: 'Highlight' } },
    },
  },
});

const SummaryButton = chakra('button', {
  base: {
    display: 'grid',
    gridTemplateAreas: { base: '"sender" "preview" "time"', lg: '"sender preview time"' },
    gridTemplateColumns: { base: 'minmax(0, 1fr)', lg: 'minmax(0, 4fr) minmax(0, 7fr) 16rem' },
    alignItems: 'baseline',
    columnGap: '6',
    w: 'full',
    minH: '14',
    py: '3',
    textAlign: 'start',
    lineHeight: '1.4',
    cursor: 'pointer',
    borderBottom: '1px solid {colors.hairline}',
    fontVariantNumeric: 'tabular-nums',
    overflowWrap: 'anywhere',
    '&[aria-expanded=true]': { borderBottomColor: 'transparent' },
    '&[aria-expanded=false] .sender': { lineClamp: 2 },
    '& .preview': {
      color: 'fg.muted',
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
    },
    _hover: { '& .sender': { textDecoration: 'underline', textDecorationThickness: '2px' } },
  },
});
