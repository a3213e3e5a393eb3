/** An error or warning on the console that a test did not ask for fails it. */
import { configure } from '@testing-library/dom';
import { afterEach, beforeEach, expect, vi } from 'vitest';

// The first import of a lazy part takes seconds on a busy machine.
configure({ asyncUtilTimeout: 10_000 });

beforeEach(() => {
  vi.spyOn(console, 'error');
  vi.spyOn(console, 'warn');
});

afterEach(() => {
  expect(console.error).not.toHaveBeenCalled();
  expect(console.warn).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});
