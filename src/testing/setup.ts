/** Runs before each test file of the client. An unexpected console error or warning fails a test. */
import { configure } from '@testing-library/dom';
import type { Root } from 'react-dom/client';
import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest';

// Test files share a process and its window: each gets its own instances of the project's modules.
vi.resetModules();

// Tests use the sample config, because owners change site.config.ts.
vi.mock('../../site.config.ts', () => import('../../server/testing/sample-config.ts'));

// Track islands to unmount them: a mounted island would react to later test files.
const roots: Root[] = [];
vi.mock('react-dom/client', async (importOriginal) => {
  const client = await importOriginal<typeof import('react-dom/client')>();
  const hydrateRoot: typeof client.hydrateRoot = (...args) => {
    const root = client.hydrateRoot(...args);
    roots.push(root);
    return root;
  };
  return { ...client, hydrateRoot };
});

// The first dynamic import takes seconds on a busy machine.
configure({ asyncUtilTimeout: 10_000 });

afterAll(() => {
  for (const root of roots.splice(0)) root.unmount();
  document.head.replaceChildren();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  // A hash left in the address is a jump to a section.
  history.replaceState(null, '', '/');
});

beforeEach(() => {
  vi.spyOn(console, 'error');
  vi.spyOn(console, 'warn');
});

afterEach(() => {
  try {
    expect(console.error).not.toHaveBeenCalled();
    expect(console.warn).not.toHaveBeenCalled();
  } finally {
    vi.restoreAllMocks();
  }
});
