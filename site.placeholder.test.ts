import { expect, test } from 'vitest';
import { isPlaceholder } from './site.placeholder.ts';

test.each(['', '  ', 'https://scheduler.example/call', 'https://EXAMPLE/x', 'a.b.example', 'soon'])(
  '%j is a placeholder',
  (url) => expect(isPlaceholder(url)).toBe(true),
);

test.each([
  'https://cal.com/rowan/strategy',
  'https://example.com/call',
  'https://my.example.org',
  'tidycal.com/rowan',
  'müller-brook.com',
  'http://localhost:4000/frame',
])('%j is a real address', (url) => expect(isPlaceholder(url)).toBe(false));
