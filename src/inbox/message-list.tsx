import { chakra } from '@chakra-ui/react';
import { useId } from 'react';
import { dateAndTime } from '../admin/format.ts';
import { type Folder, faultOf, type Message } from './message.ts';
import { MessageText, type Sort } from './message-text.tsx';

/** Each folder is a line of its own. */
const lines: Record<Folder, string> = {
  inbox: '{colors.line.blue}',
  archive: '{colors.line.green}',
  spam: '{colors.line.red}',
};

/** The line of a message's button, by which it is found again. */
export const buttonId = ({ id }: Pick<Message, 'id'>) => `message-${id}`;

/** Messages as the stations of a line: a full one is unread. The open one shows all of itself. */
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
    <chakra.section aria-labelledby={id} mt="3" css={{ '& + &': { mt: '8' } }}>
      <chakra.h2 id={id} textStyle="h3" mb="3">
        {title}
      </chakra.h2>
      <chakra.ol css={{ '--track': lines[folder] }}>
        {messages.map((message) => (
          <Station key={message.id} data-unread={!message.isRead || undefined}>
            <Line
              message={message}
              isOpen={message.id === openId}
              onToggle={() => onToggle(message)}
            />
            {message.id === openId && (
              <MessageText message={message} isMailed={isMailed} onSort={onSort} />
            )}
          </Station>
        ))}
      </chakra.ol>
    </chakra.section>
  );
}

function Line({
  message,
  isOpen,
  onToggle,
}: {
  message: Message;
  isOpen: boolean;
  onToggle: () => void;
}) {
  const { name, company, receivedAt, isRead } = message;
  const fault = faultOf(message);
  return (
    <chakra.h3 fontWeight="inherit">
      <Head
        type="button"
        id={buttonId(message)}
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${buttonId(message)}-text` : undefined}
        onClick={onToggle}
      >
        <chakra.span gridArea="who" className="who">
          {!isRead && <chakra.span srOnly>Unread: </chakra.span>}
          {name}
          {company && (
            <chakra.span color="fg.muted" fontWeight="400">
              , {company}
            </chakra.span>
          )}
        </chakra.span>
        <chakra.span gridArea="words" className="words" aria-hidden={isOpen || undefined}>
          {isOpen ? '' : beginningOf(message)}
        </chakra.span>
        <chakra.span gridArea="time" textStyle="small" color="fg.muted" textAlign={{ lg: 'end' }}>
          {fault && (
            <chakra.span color="line.red" fontWeight="700" me="3">
              {fault}
            </chakra.span>
          )}
          <time dateTime={receivedAt}>{dateAndTime(receivedAt)}</time>
        </chakra.span>
      </Head>
    </chakra.h3>
  );
}

/** How it begins, in one line. */
const beginningOf = ({ message }: Message) => message.slice(0, 200).replace(/\s+/g, ' ');

const station = '1.125rem';

const Station = chakra('li', {
  base: {
    position: 'relative',
    ps: { base: '7', sm: '10' },
    // The line, and the station on it.
    _before: {
      content: '""',
      position: 'absolute',
      insetInlineStart: `calc(${station} / 2 - 2.5px)`,
      insetBlock: '0',
      w: '5px',
      bg: 'var(--track)',
    },
    _after: {
      content: '""',
      position: 'absolute',
      insetInlineStart: '0',
      top: '1.05rem',
      boxSize: station,
      bg: 'bg',
      border: '4px solid {colors.fg}',
      borderRadius: '50%',
    },
    '&[data-unread]': { _after: { bg: 'var(--track)' }, '& .who': { fontWeight: '700' } },
    '&:first-of-type': { _before: { top: '1.4rem' } },
    '&:last-of-type': { _before: { bottom: 'auto', height: '1.4rem' } },
    '&:only-child': { _before: { display: 'none' } },
    '@media (forced-colors: active)': {
      '&[data-unread]': { _after: { forcedColorAdjust: 'none', bg: 'Highlight' } },
    },
  },
});

const Head = chakra('button', {
  base: {
    display: 'grid',
    gridTemplateAreas: { base: '"who" "words" "time"', lg: '"who words time"' },
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
    '& .words': {
      color: 'fg.muted',
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
    },
    _hover: { '& .who': { textDecoration: 'underline', textDecorationThickness: '2px' } },
  },
});
