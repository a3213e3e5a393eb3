import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { linesOf } from './field-lines.ts';

it('each field of the config has its line', async () => {
  const text = await readFile('server/testing/sample-file.ts', 'utf8');
  const lines = await linesOf(text);
  const rowAt = (field: string) => text.split('\n')[(lines[field] ?? 0) - 1]?.trim();
  expect(rowAt('brand.name')).toBe("name: 'Rowan Hale',");
  expect(rowAt('testimonials.quotes (2nd).name')).toBe("name: 'Devon Placeholder',");
  expect(lines['testimonials.quotes (2nd)']).toBe(
    (lines['testimonials.quotes (2nd).quote'] ?? 0) - 1,
  );
  expect(rowAt('about.text (1st)')).toMatch(/^'I’m Rowan/);
});
