import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Io } from './command.ts';

/**
 * Asks one question after the other on the terminal without showing what is typed. Resolves with
 * the answers: fewer than questions when the owner leaves (Ctrl-C, Ctrl-D).
 */
export function askHidden(
  questions: string[],
  { stdin, stderr }: Pick<Io, 'stdin' | 'stderr'>,
): Promise<string[]> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: stdin, output: nowhere, terminal: true, historySize: 0 });
  const answers: string[] = [];
  const askNext = () => {
    const question = questions[answers.length];
    if (question === undefined) return reader.close();
    stderr.write(question);
  };
  return new Promise((resolve) => {
    reader.on('close', () => resolve(answers));
    reader.on('line', (answer) => {
      if (answers.length === questions.length) return;
      answers.push(answer);
      stderr.write('\n');
      askNext();
    });
    askNext();
  });
}
