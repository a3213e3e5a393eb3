/** Runs before each test file of the client. An unexpected console error or warning fails a test. */
import { configure } from '@testing-library/dom';
import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest';

// Test files share a process and its window: each gets its own instances of the project's modules.
vi.resetModules();

// Tests read the sample words: the owner may change site.config.ts.
vi.mock('../../site.config.ts', () => import('../../server/testing/sample-config.ts'));

// The first import of a lazy part takes seconds on a busy machine.
configure({ asyncUtilTimeout: 10_000 });

afterAll(() => {
  document.head.replaceChildren();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
});

beforeEach(() => {
  vi.spyOn(console, 'error');
  vi.spyOn(console, 'warn');
});

afterEach(() => {
  expect(console.error).not.toHaveBeenCalled();
  expect(console.warn).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});
