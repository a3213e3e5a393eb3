import { chakra, Span, VisuallyHidden } from '@chakra-ui/react';
import { Link } from 'react-router-dom';
import { formatNumber } from '../../server/contract/numbers.ts';
import { segment, segmentBar } from '../admin/segments.ts';
import { type Folder, folders, type InboxData } from './message.ts';

const names: Record<Folder, string> = { inbox: 'Inbox', archive: 'Archive', spam: 'Spam' };

/** Links to the folders, each with its number of unread messages, or of all when none is unread. */
export function FolderLinks({
  folder,
  counts,
}: {
  folder: Folder;
  counts: InboxData['counts'] | undefined;
}) {
  return (
    <Bar aria-label="Folders">
      {folders.map((one) => (
        <Segment key={one} asChild>
          <Link
            to={one === 'inbox' ? '/analytics/messages' : `?folder=${one}`}
            aria-current={one === folder ? 'page' : undefined}
          >
            <span>{names[one]}</span>
            {counts && <Count {...counts[one]} />}
          </Link>
        </Segment>
      ))}
    </Bar>
  );
}

function Count({ all, unread }: { all: number; unread: number }) {
  if (all === 0) return null;
  return (
    <Span fontVariantNumeric="tabular-nums" fontWeight={unread > 0 ? '700' : '400'}>
      <span>{formatNumber(unread || all)}</span>
      <VisuallyHidden>{unread > 0 ? ' unread' : ' in all'}</VisuallyHidden>
    </Span>
  );
}

const Bar = chakra('nav', { base: segmentBar });
const Segment = chakra('a', { base: segment });
