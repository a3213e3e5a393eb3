import { useRef, useState } from 'react';
import type { Inputs, Outputs } from '../../server/contract/api.ts';
import { useLeaveWhenSignedOut } from '../admin/session.ts';
import { trpc } from '../api/trpc.ts';
import { messageOf } from './message-of.ts';

type Input = Inputs['connections']['set'];
type Result = Outputs['connections']['set'];
export type Connection = Outputs['connections']['list']['connections'][number];

/** A connection in its panel, without what sets it. */
export type ConnectionActs = Omit<ReturnType<typeof useConnection>, 'set'>;

type Place = 'form' | 'second form' | 'panel';

/** A connection as it is, and what its panel does with it. */
export function useConnection<Name extends Input['name']>(name: Name) {
  const { client } = trpc.useUtils();
  const list = trpc.connections.list.useQuery(undefined, {
    // A calendar is read for the first time within seconds.
    refetchInterval: ({ state }) => (state.data?.connections.some(isUnread) ? 2000 : false),
  });
  const status = useRef<HTMLParagraphElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [isReplacing, setIsReplacing] = useState(false);
  const [said, setSaid] = useState('');
  /** Where the last act failed: the form that sent it, or the panel. */
  const [failure, setFailure] = useState<{ at: Place; error: unknown }>();
  useLeaveWhenSignedOut(list.error, failure?.error);

  const run = async <T>(
    at: Place,
    send: () => Promise<T>,
    sentenceOf: (result: T) => string,
  ): Promise<T | undefined> => {
    if (isBusy) return undefined;
    setIsBusy(true);
    setFailure(undefined);
    setSaid('');
    try {
      const result = await send();
      await list.refetch();
      const sentence = sentenceOf(result);
      setSaid(sentence);
      setIsReplacing(false);
      // The focused button or field may be gone.
      if (sentence) requestAnimationFrame(() => status.current?.focus());
      return result;
    } catch (error) {
      setFailure({ at, error });
      return undefined;
    } finally {
      setIsBusy(false);
    }
  };
  return {
    /** Undefined until it is loaded. */
    connection: list.data?.connections.find((one) => one.name === name),
    isMissing: list.isError && list.data === undefined,
    isBusy,
    /** Why the last act of a form, or of the panel, failed; empty when it did not. */
    errorAt: (at: Place): string =>
      failure?.at === at ? messageOf(failure.error, 'It did not work. Try again.') : '',
    /** Whether the form of another value is open. */
    isReplacing,
    replace: () => {
      setSaid('');
      setFailure(undefined);
      setIsReplacing(true);
    },
    cancel: () => {
      setFailure(undefined);
      setIsReplacing(false);
      requestAnimationFrame(() => opener.current?.focus());
    },
    /** The button that opens the form, which has the focus again once that is cancelled. */
    opener,
    /** Tries and stores a value. Resolves with undefined when it is refused. */
    set: (
      value: Extract<Input, { name: Name }>['value'],
      {
        at = 'form',
        say = ({ connection }) => connection.hint ?? 'Saved.',
      }: { at?: Place; say?: (result: Result) => string } = {},
    ) =>
      // The value has the type of its name.
      run(
        at,
        () => client.connections.set.mutate({ name, value } as Input),
        (result) => result.connection.problem ?? say(result),
      ),
    clear: async (sentence: string): Promise<void> => {
      await run(
        'panel',
        () => client.connections.clear.mutate({ name }),
        () => sentence,
      );
    },
    /** For the `StatusLine` of the panel. */
    status: { ref: status, children: isBusy ? 'Trying …' : said },
  };
}

const isUnread = ({ items = [] }: Connection) =>
  items.some(({ checkedAt, problem }) => checkedAt === undefined && problem === undefined);
