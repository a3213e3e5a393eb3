/** Runs before each test file of the server. Test files share a process: each must restore what it changed. */
import { afterAll, expect } from 'vitest';

const globals = () => ({
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
  Date: globalThis.Date,
  fetch: globalThis.fetch,
  folder: process.cwd(),
});

const before = globals();

afterAll(() => {
  expect(globals(), 'globals after the last test').toEqual(before);
});
