import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('every AppError code is thrown by the server', () => {
  const declared = readFileSync('server/errors.ts', 'utf8');
  const codes = [...declared.matchAll(/^ {2}\| '([A-Z_]+)'/gm)].map(([, code]) => code);
  expect(codes).toContain('FOLDER_IN_USE');
  const sources = readdirSync('server', { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.ts$/.test(file))
    .map((file) => readFileSync(`server/${file}`, 'utf8'))
    .join('\n');
  const thrown = new Set(
    [...sources.matchAll(/new AppError\(\s*'([A-Z_]+)'/g)].map(([, code]) => code),
  );
  expect(codes.filter((code) => !thrown.has(code))).toEqual([]);
});
