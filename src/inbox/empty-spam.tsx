import { formatNumber } from '../../server/contract/numbers.ts';
import { Confirm } from '../admin/confirm.tsx';

/** Deletes all spam after a confirmation. */
export const EmptySpam = ({ count, onEmpty }: { count: number; onEmpty: () => Promise<void> }) => (
  <Confirm
    label="Empty spam"
    question={`Delete ${count === 1 ? 'the message' : `all ${formatNumber(count)} messages`} in spam? This cannot be undone.`}
    confirm="Delete"
    keep="Cancel"
    onConfirm={onEmpty}
    mb="6"
  >
    <p>Spam is deleted after 30 days.</p>
  </Confirm>
);
