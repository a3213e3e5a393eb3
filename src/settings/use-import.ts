import { useRef, useState } from 'react';
import type { Inputs, Outputs } from '../../server/contract/api.ts';
import { decodeFile, type FileText, fileBodyLimit } from '../../server/contract/file-text.ts';
import { formatNumber, pluralize } from '../../server/contract/numbers.ts';
import { useLeaveWhenSignedOut } from '../admin/session.ts';
import { trpc } from '../api/trpc.ts';

export type Preview = NonNullable<Outputs['analytics']['previewImport']['preview']>;
export type ImportOptions = NonNullable<Inputs['analytics']['previewImport']['options']>;

/** A file that the owner chose, as text. */
interface ChosenFile extends FileText {
  name: string;
}

/** The largest file that the server accepts, in bytes. */
const maxBytes = 10 * 1024 * 1024;

/** Bytes of a request that are left for how the file is read. */
const optionBytes = 64 * 1024;

/** Whether a text takes too much as JSON, which escapes quotes and line breaks. */
const isTooLong = (text: string) =>
  new TextEncoder().encode(JSON.stringify(text)).length > fileBodyLimit - optionBytes;

/** The timeout of one call, in ms: a large file takes long on a slow line. */
const trpcContext = { trpc: { context: { timeoutMs: 120_000 } } };

/** The import of a file of sales: its preview, changes of how it is read, and the import itself. */
export function useImport() {
  const [file, setFile] = useState<ChosenFile>();
  const [preview, setPreview] = useState<Preview>();
  const [problem, setProblem] = useState('');
  const [status, setStatus] = useState('');
  /** The number of the last preview that was asked for. */
  const newest = useRef(0);
  const previewing = trpc.analytics.previewImport.useMutation(trpcContext);
  const importing = trpc.analytics.importSales.useMutation(trpcContext);
  const utils = trpc.useUtils();
  const error = previewing.error ?? importing.error;
  useLeaveWhenSignedOut(error);

  const load = async (chosen: ChosenFile, options?: ImportOptions) => {
    newest.current += 1;
    const own = newest.current;
    setProblem('');
    try {
      const result = await previewing.mutateAsync({ text: chosen.text, options });
      // The owner has changed something since.
      if (own !== newest.current) return;
      if (result.preview) setPreview(result.preview);
      else setProblem(result.problem);
    } catch {
      if (own === newest.current) setProblem('Could not read the file. Try again.');
    }
  };

  const close = () => {
    newest.current += 1;
    setFile(undefined);
    setPreview(undefined);
    setProblem('');
  };

  /** Reads a file and asks the server for its preview. */
  const choose = async (chosen: File) => {
    close();
    setStatus('');
    if (chosen.size > maxBytes) {
      setProblem('This file is larger than 10 MB. Split it, or use the command line.');
      return;
    }
    const decoded = decodeFile(new Uint8Array(await chosen.arrayBuffer()));
    if (isTooLong(decoded.text)) {
      setProblem('This file is too large to send. Split it, or use the command line.');
      return;
    }
    const next = { ...decoded, name: chosen.name };
    setFile(next);
    await load(next);
  };

  /** Imports the file as it was previewed. Long imports take several calls. */
  const run = async () => {
    if (!file || !preview) return;
    const total = preview.added + preview.changed + preview.known;
    const sum = { added: 0, changed: 0, known: 0 };
    const rejected: string[] = [];
    setProblem('');
    try {
      for (let from: number | null = 0; from !== null; ) {
        const { text } = file;
        const part: Outputs['analytics']['importSales'] = await importing.mutateAsync({
          text,
          from,
          options: preview.options ?? undefined,
        });
        sum.added += part.added;
        sum.changed += part.changed;
        sum.known += part.known;
        rejected.push(...part.rejected);
        from = part.next;
        if (from !== null) setStatus(`${formatNumber(from)} of ${pluralize(total, 'sale')} read …`);
      }
    } catch {
      const done = sum.added + sum.changed;
      setStatus('');
      setProblem(
        `${done > 0 ? `Only ${pluralize(done, 'sale')} of the file could be imported.` : 'Could not import the sales.'} ` +
          'Import the file again: no sale counts twice.',
      );
      return;
    } finally {
      void utils.analytics.invalidate();
    }
    close();
    setStatus([resultOf(sum), ...rejected].join(' '));
  };

  return {
    file,
    preview,
    problem,
    status,
    isReading: previewing.isPending,
    isImporting: importing.isPending,
    choose,
    /** Reads the file in another way. */
    async change(options: ImportOptions) {
      // At once, so that a second change does not undo the first one.
      setPreview((shown) => shown && { ...shown, options });
      if (file) await load(file, options);
    },
    run,
    close,
  };
}

function resultOf({ added, changed, known }: { added: number; changed: number; known: number }) {
  const parts = [
    `${pluralize(added, 'sale')} imported`,
    ...(changed > 0 ? [`${formatNumber(changed)} updated`] : []),
    ...(known > 0 ? [`${formatNumber(known)} already there`] : []),
  ];
  return `${parts.join(', ')}.`;
}
