import { chakra } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import { wholeNumber } from '../admin/format.ts';
import { Button } from '../ui/button.tsx';

/** Deletes all spam, once the owner has confirmed it. */
export function EmptySpam({ count, onEmpty }: { count: number; onEmpty: () => Promise<void> }) {
  const [isAsking, setIsAsking] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const question = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (isAsking) question.current?.focus();
  }, [isAsking]);

  if (!isAsking) {
    return (
      <Bar>
        <p>Spam is deleted after 30 days.</p>
        <Button type="button" ref={opener} onClick={() => setIsAsking(true)}>
          Empty spam
        </Button>
      </Bar>
    );
  }
  const cancel = () => {
    setIsAsking(false);
    requestAnimationFrame(() => opener.current?.focus());
  };
  const empty = async () => {
    setIsBusy(true);
    await onEmpty();
    setIsBusy(false);
    setIsAsking(false);
  };
  return (
    <Bar role="group" aria-labelledby="empty-spam">
      <chakra.p id="empty-spam" ref={question} tabIndex={-1} outline="none" fontWeight="600">
        Delete {count === 1 ? 'the message' : `all ${wholeNumber(count)} messages`} in spam? This
        cannot be undone.
      </chakra.p>
      <Button
        type="button"
        bg="line.red"
        borderColor="line.red"
        color="bg"
        aria-busy={isBusy}
        onClick={() => void (isBusy || empty())}
      >
        Delete
      </Button>
      <Button type="button" variant="link" onClick={cancel}>
        Cancel
      </Button>
    </Bar>
  );
}

const Bar = chakra('div', {
  base: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    columnGap: '6',
    rowGap: '3',
    mb: '6',
  },
});
