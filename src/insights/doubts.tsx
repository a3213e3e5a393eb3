import { Button, Flex, List, Text } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { money } from '../../server/contract/money.ts';
import { routes } from '../../server/contract/routes.ts';
import { dateAndTime } from '../../server/contract/times.ts';
import { Note, Panel } from '../admin/panel.tsx';
import type { Report } from '../admin/report.ts';
import { useLeaveWhenSignedOut } from '../admin/session.ts';
import { errorResponseOf, trpc } from '../api/trpc.ts';

type Doubt = Report['doubts'][number];

const idOf = ({ sales }: Doubt) => sales.map(({ id }) => id).join(' ');

/** Pairs of sales that may be one. A decided pair stays until the page is loaded again. */
export function DoubtsPanel({
  doubts,
  isFiltered,
}: {
  doubts: readonly Doubt[];
  /** Whether the other panels have a filter. */
  isFiltered: boolean;
}) {
  // In the order in which they came, so that a decision moves none.
  const [seen, setSeen] = useState(doubts);
  const [decided, setDecided] = useState<readonly string[]>([]);
  const isIn = (list: readonly Doubt[], doubt: Doubt) =>
    list.some((one) => idOf(one) === idOf(doubt));
  const fresh = doubts.filter((doubt) => !isIn(seen, doubt));
  if (fresh.length > 0) setSeen([...seen, ...fresh]);
  const shown = seen.filter((doubt) => isIn(doubts, doubt) || decided.includes(idOf(doubt)));
  if (shown.length === 0) return null;
  return (
    <Panel title="Same sale twice?">
      <Note>
        {`These sales have the same buyer and amount, within a minute. Both count until you decide.${isFiltered ? ' The filter does not apply here.' : ''}`}
      </Note>
      <List.Root as="ul" maxW="40rem">
        {shown.map((doubt) => (
          <Pair
            key={idOf(doubt)}
            doubt={doubt}
            onDecide={() => setDecided([...decided, idOf(doubt)])}
          />
        ))}
      </List.Root>
    </Panel>
  );
}

/** What a decision did; `null` is an undone one. */
const results = {
  true: (kept: string) => `Counted once: ${kept} stays.`,
  false: () => 'Counted as two sales.',
  null: () => 'Undone. Both count until you decide.',
};

function Pair({ doubt: { sales }, onDecide }: { doubt: Doubt; onDecide: () => void }) {
  const id = useId();
  const queries = useQueryClient();
  const status = useRef<HTMLParagraphElement>(null);
  const [verdict, setVerdict] = useState<boolean | null>();
  const { mutate, isPending, error } = trpc.analytics.settleDoubt.useMutation({
    onSuccess(_, { isOneSale }) {
      setVerdict(isOneSale);
      onDecide();
      // The pressed button is gone.
      status.current?.focus();
      void queries.invalidateQueries({ queryKey: [routes['analytics.dashboard'].path] });
    },
  });
  useLeaveWhenSignedOut(error);
  const [first, second] = sales;
  if (!first || !second) return null;
  const decide = (isOneSale: boolean | null) => () => {
    if (!isPending) mutate({ sales: [first.id, second.id], isOneSale });
  };
  const failure =
    error && (errorResponseOf(error)?.sentence ?? 'Could not save your decision. Try again.');
  const isDecided = typeof verdict === 'boolean';
  return (
    <List.Item py="3" borderBottom="1px solid {colors.hairline}" overflowWrap="anywhere">
      <Text id={id} fontWeight="600">
        {`${first.email}, ${money(first.conversionValue, first.currency)}`}
      </Text>
      {sales.map(({ id, timestamp, source }) => (
        <Text key={id} textStyle="small" color="fg.muted">
          {`${dateAndTime(timestamp)}, source: ${source ?? 'Direct'}, ${id}`}
        </Text>
      ))}
      {!isDecided && (
        <Text textStyle="small">{`“Count once” keeps ${first.id} and drops ${second.id}.`}</Text>
      )}
      <Text ref={status} role="status" tabIndex={-1} outline="none" fontWeight="600" mt="1">
        {failure ?? (verdict !== undefined && results[`${verdict}`](first.id))}
      </Text>
      <Flex wrap="wrap" align="center" columnGap="5" rowGap="3" mt="2" aria-busy={isPending}>
        {isDecided ? (
          <Button type="button" variant="plain" aria-describedby={id} onClick={decide(null)}>
            Undo
          </Button>
        ) : (
          <>
            <Button type="button" aria-describedby={id} onClick={decide(true)}>
              Count once
            </Button>
            <Button type="button" variant="plain" aria-describedby={id} onClick={decide(false)}>
              Both are sales
            </Button>
          </>
        )}
      </Flex>
    </List.Item>
  );
}
