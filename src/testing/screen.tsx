/** For tests of screens: stands one in what `main.tsx` gives it, with the real client and a spied wire. */
import { type RenderResult, render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { type Mock, vi } from 'vitest';
import { ApiProvider } from '../api/provider.tsx';
import { AppProviders, styleCache } from '../app-providers.tsx';
import { TooltipProvider } from '../ui/tooltip.tsx';

/** Every address the router came to, oldest first. */
export const visited: string[] = [];

function Visits() {
  const { pathname } = useLocation();
  if (visited.at(-1) !== pathname) visited.push(pathname);
  return null;
}

/** Renders a screen at an address, in a fresh router and query client. */
export function renderScreen(screen: ReactElement, { at }: { at: string }): RenderResult {
  visited.length = 0;
  return render(
    <AppProviders cache={styleCache()}>
      <ApiProvider>
        <MemoryRouter initialEntries={[at]}>
          <Visits />
          <TooltipProvider>{screen}</TooltipProvider>
        </MemoryRouter>
      </ApiProvider>
    </AppProviders>,
  );
}

/** Answers every fetch by `answer`, until the test ends. */
export function answerFetch(answer: () => Response | Promise<Response>): Mock<typeof fetch> {
  return vi.spyOn(globalThis, 'fetch').mockImplementation(async () => answer());
}

/** An answer of JSON. */
export const json = (body: unknown, status = 200): Response => Response.json(body, { status });
