import { useState } from 'react';
import { valueAt } from '../../server/contract/document-changes.ts';
import { useEditor } from './context.ts';

/** The entries of a record for a form in which names are typed: two with one name are kept until they differ. */
export function usePairs<Value>(path: string) {
  const { draft, state } = useEditor();
  const [typed, setTyped] = useState<[name: string, value: Value][]>();
  const stored = Object.entries((valueAt(state.document, path) ?? {}) as Record<string, Value>);
  return {
    pairs: typed ?? stored,
    hasTwins: typed !== undefined,
    put(pairs: [name: string, value: Value][]) {
      const hasTwins = new Set(pairs.map(([name]) => name)).size < pairs.length;
      setTyped(hasTwins ? pairs : undefined);
      if (!hasTwins) draft.edit(path, Object.fromEntries(pairs), { isWhole: true });
    },
  };
}
