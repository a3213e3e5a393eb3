/** The text of a site.config.ts, written and read again. */
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mistakesInText } from '../build/config/mistakes.ts';
import { readSource } from '../build/config/source.ts';
import { documents } from '../testing/document-edits.ts';
import { site as sample } from '../testing/sample-config.ts';
import { configText, readConfigText } from './config-file.ts';
import { configOf } from './document.ts';

const own = await readSource(await readFile('site.config.ts', 'utf8'));

it('exported config is valid, and has the comments of site.config.ts', async () => {
  expect(Object.keys(own.comments)).toEqual(
    expect.arrayContaining(['', 'brand', 'brand.email', 'calls.strategyCall.minutes', 'legal']),
  );
  const text = configText({ ...sample }, own.comments);
  expect(await mistakesInText(text, () => true)).toEqual([]);
  const { site, comments } = await readSource(text);
  expect([site, comments]).toEqual([sample, own.comments]);
  expect(text.split('\n').filter((line) => line.startsWith('  hero: {'))).toHaveLength(1);
});

it('export, import and export of any document are equal', async () => {
  await fc.assert(
    fc.asyncProperty(documents, async (document) => {
      expect(configOf(document)).toBeDefined();
      const text = configText(document, own.comments);
      const imported = await readConfigText(text);
      expect(imported).toEqual(document);
      expect(configText(imported as typeof document, own.comments)).toBe(text);
    }),
    { numRuns: 60 },
  );
});

it.each([
  ['export const site = {', /cannot be read as a site\.config\.ts: .+\.$/],
  ['export const other = {};', /The line "export const site = \{" is missing/],
  ['export const site = 7;', /is missing/],
])('file with %j is refused with a sentence', async (text, sentence) => {
  await expect(readConfigText(text)).rejects.toThrow(sentence);
});
