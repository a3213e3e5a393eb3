import { Button, Flex, Input, Text } from '@chakra-ui/react';
import { type FormEvent, useState } from 'react';
import type { Inputs } from '../../server/contract/api.ts';
import { placeOf } from '../../server/contract/times.ts';
import { Modal } from '../admin/modal.tsx';
import { Field } from '../ui/field.tsx';

/** A modal dialog, open while mounted, with the form that takes a time out of the free times. */
export function BlockDialog({
  timeZone,
  onBlock,
  onClose,
}: {
  timeZone: string;
  /** Resolves to the sentence that says what is wrong, if anything is. */
  onBlock: (time: Inputs['booking']['block']) => Promise<string | undefined>;
  onClose: () => void;
}) {
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const block = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = event.currentTarget;
    const fields = new FormData(form);
    const text = (name: string) => String(fields.get(name) ?? '');
    setIsBusy(true);
    const time = { date: text('date'), from: text('from'), to: text('to'), note: text('note') };
    const wrong = await onBlock(time);
    setIsBusy(false);
    setError(wrong);
    // Closed by the browser, the dialog returns the focus to the button that opened it.
    if (wrong === undefined) form.closest('dialog')?.close();
  };
  return (
    <Modal title="Block a time" onClose={onClose}>
      <Text color="fg.muted" mb="4">
        {`Visitors cannot book it. Times are in ${placeOf(timeZone)}. Calls that are booked already stay.`}
      </Text>
      <Flex asChild direction="column" gap="4">
        <form onSubmit={(event) => void block(event)}>
          <Field label="Date">
            <Input type="date" name="date" required />
          </Field>
          <Flex wrap="wrap" gap="4" css={{ '& > *': { flex: '1 1 8rem' } }}>
            <Field label="From">
              <Input type="time" name="from" required />
            </Field>
            <Field label="To">
              <Input type="time" name="to" required />
            </Field>
          </Flex>
          <Field label="Note (optional)">
            <Input name="note" maxLength={200} autoComplete="off" />
          </Field>
          {error && (
            <Text role="alert" color="line.red" fontWeight="600">
              {error}
            </Text>
          )}
          <Button type="submit" alignSelf="start" aria-busy={isBusy}>
            Block this time
          </Button>
        </form>
      </Flex>
    </Modal>
  );
}
