import { useRef, useState } from 'react';
import type { Folder, Message } from './message.ts';
import { buttonId } from './message-list.tsx';
import type { Sort } from './message-text.tsx';
import type { useMessages } from './use-messages.ts';

/** What a move is called once it was made. */
const moved: Record<Folder, string> = {
  inbox: 'is in the inbox',
  archive: 'was archived',
  spam: 'was put into the spam folder',
};

const failed = 'That could not be done. Please try again.';

/**
 * Which message is open, and where it goes. What was done is said, with the way back, and the focus
 * goes on to the next message.
 */
export function useSorting({ fresh, read, ...inbox }: ReturnType<typeof useMessages>) {
  const [openId, setOpenId] = useState<string>();
  const [said, setSaid] = useState<{ text: string; undo?: () => void }>({ text: '' });
  /** Where it is said. */
  const status = useRef<HTMLParagraphElement>(null);

  const toggle = (message: Message) => {
    setOpenId(message.id === openId ? undefined : message.id);
    if (message.id !== openId) void inbox.open(message);
  };
  const sort: Sort = async (message, change) => {
    const all = [...fresh, ...read];
    const place = all.findIndex(({ id }) => id === message.id);
    const next = all[place + 1] ?? all[place - 1];
    setOpenId(undefined);
    if (!(await inbox.sort(message, change))) {
      setOpenId(message.id);
      return setSaid({ text: failed });
    }
    if (!('folder' in change)) {
      setSaid({ text: `The message from ${message.name} is unread again.` });
      return focus(buttonId(message));
    }
    const from = message.folder;
    const undo = async () => {
      const isDone = await inbox.sort({ ...message, folder: change.folder }, { folder: from });
      setSaid({ text: isDone ? `The message from ${message.name} ${moved[from]}.` : failed });
      status.current?.focus();
    };
    setSaid({ text: `The message from ${message.name} ${moved[change.folder]}.`, undo });
    // What had the focus is gone with the message.
    if (next) focus(buttonId(next));
    else status.current?.focus();
  };

  return { openId, toggle, sort, said, say: (text: string) => setSaid({ text }), status };
}

/** Once the list is drawn anew. */
const focus = (id: string) => requestAnimationFrame(() => document.getElementById(id)?.focus());
