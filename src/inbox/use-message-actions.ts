import { useEffect, useRef, useState } from 'react';
import { type Folder, type Message, shortNameOf } from './message.ts';
import { buttonId } from './message-list.tsx';
import type { Sort } from './message-text.tsx';
import type { useMessages } from './use-messages.ts';

/** The status text after a move to each folder. */
const moved: Record<Folder, string> = {
  inbox: 'was moved to the inbox',
  archive: 'was archived',
  spam: 'was marked as spam',
};

const failed = 'Could not update the message. Try again.';

/**
 * Opens and moves messages. After a move, it announces the result with an undo and focuses the next
 * message.
 */
export function useMessageActions({ unread, read, ...inbox }: ReturnType<typeof useMessages>) {
  const [openId, setOpenId] = useState<string>();
  const [status, setStatus] = useState<{ text: string; undo?: () => void }>({ text: '' });
  /** The element that shows the status. */
  const statusRef = useRef<HTMLParagraphElement>(null);
  /** A change that the lists do not show yet, and the button that gets the focus then; without one, the status does. */
  const [changed, setChanged] = useState<{ message: Message; focusId: string | undefined }>();
  const isIn = (list: Message[]) => list.some(({ id }) => id === changed?.message.id);
  const isShown =
    changed &&
    (changed.focusId === buttonId(changed.message) ? isIn(unread) : !isIn([...unread, ...read]));
  useEffect(() => {
    if (!isShown) return;
    const { focusId } = changed;
    (focusId ? document.getElementById(focusId) : statusRef.current)?.focus();
    setChanged(undefined);
  }, [isShown, changed]);

  const toggle = async (message: Message) => {
    if (message.id === openId) return setOpenId(undefined);
    setOpenId(message.id);
    if (!(await inbox.open(message))) {
      setStatus({ text: 'Could not mark the message as read.' });
    }
  };
  const sort: Sort = async (message, change) => {
    const all = [...unread, ...read];
    const place = all.findIndex(({ id }) => id === message.id);
    const next = all[place + 1] ?? all[place - 1];
    setOpenId(undefined);
    if (!(await inbox.sort(message, change))) {
      setOpenId(message.id);
      return setStatus({ text: failed });
    }
    if (!('folder' in change)) {
      setStatus({ text: `The message from ${shortNameOf(message)} was marked as unread.` });
      return setChanged({ message, focusId: buttonId(message) });
    }
    const from = message.folder;
    const undo = async () => {
      const isDone = await inbox.sort({ ...message, folder: change.folder }, { folder: from });
      setStatus({
        text: isDone ? `The message from ${shortNameOf(message)} ${moved[from]}.` : failed,
      });
      statusRef.current?.focus();
    };
    setStatus({ text: `The message from ${shortNameOf(message)} ${moved[change.folder]}.`, undo });
    // The focused element is removed with the message.
    setChanged({ message, focusId: next && buttonId(next) });
  };

  const announce = (text: string) => setStatus({ text });
  return { openId, toggle, sort, status, announce, statusRef };
}
