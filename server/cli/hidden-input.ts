import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Io } from './command.ts';

/**
 * Prompts for one line after the other on the terminal without echoing what is typed. Resolves with
 * the lines; there are fewer than prompts when the owner cancels (Ctrl-C, Ctrl-D).
 */
export function promptHidden(
  prompts: string[],
  { stdin, stderr }: Pick<Io, 'stdin' | 'stderr'>,
): Promise<string[]> {
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: stdin, output: discard, terminal: true, historySize: 0 });
  const lines: string[] = [];
  const promptNext = () => {
    const prompt = prompts[lines.length];
    if (prompt === undefined) return reader.close();
    stderr.write(prompt);
  };
  return new Promise((resolve) => {
    reader.on('close', () => resolve(lines));
    reader.on('line', (line) => {
      if (lines.length === prompts.length) return;
      lines.push(line);
      stderr.write('\n');
      promptNext();
    });
    promptNext();
  });
}
