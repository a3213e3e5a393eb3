/** Test helpers that render a screen with the providers of `main.tsx`, the real client and a mocked fetch. */
import { type RenderResult, render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { BrowserRouter, MemoryRouter, useLocation } from 'react-router-dom';
import { type Mock, vi } from 'vitest';
import { OwnerApi } from '../admin/owner-api.tsx';
import { AppProviders, styleCache } from '../app-providers.tsx';

/** Every path the router visited, oldest first. */
export const visited: string[] = [];

function Visits() {
  const { pathname } = useLocation();
  if (visited.at(-1) !== pathname) visited.push(pathname);
  return null;
}

/** Computing styles for each query by role takes a quarter of a test's time, so a screen has none by default. */
function detachedStyles() {
  const styles = styleCache();
  styles.sheet.container = document.createElement('head');
  return styles;
}

/**
 * Renders a screen at an address, in a fresh router and query client. What its styles hide is found by role
 * unless `styles` is `styleCache()`. `inWindow`: the address is that of the window, as in a browser.
 */
export function renderScreen(
  screen: ReactElement,
  {
    at,
    styles = detachedStyles(),
    inWindow = false,
  }: { at: string; styles?: ReturnType<typeof styleCache>; inWindow?: boolean },
): RenderResult {
  visited.length = 0;
  const content = (
    <OwnerApi>
      <Visits />
      {screen}
    </OwnerApi>
  );
  if (inWindow) history.replaceState(null, '', at);
  return render(
    <AppProviders cache={styles}>
      {inWindow ? (
        <BrowserRouter useTransitions={false}>{content}</BrowserRouter>
      ) : (
        <MemoryRouter initialEntries={[at]} useTransitions={false}>
          {content}
        </MemoryRouter>
      )}
    </AppProviders>,
  );
}

type Respond = () => Response | Promise<Response>;

/** Mocks every fetch with `respond` until the test ends. */
export function mockFetch(respond: Respond): Mock<typeof fetch> {
  return vi.spyOn(globalThis, 'fetch').mockImplementation(async () => respond());
}

/** A JSON response. */
export const json = (body: unknown, status = 200): Response => Response.json(body, { status });

/** Mocks the dashboard request with `respond`; the insights request stays pending. */
export function mockDashboard(respond: Respond): Mock<typeof fetch> {
  return mockAnalytics({ dashboard: respond, breakdown: () => new Promise(() => {}) }).dashboard;
}

/**
 * Mocks the requests of the dashboard until the test ends. Those of the launch check and of rows stay pending,
 * by default also that of the months. Any other request fails the test by its address.
 */
export function mockAnalytics({
  months: respondMonths = () => new Promise(() => {}),
  ...responses
}: Record<'dashboard' | 'breakdown', Respond> & { months?: Respond }): Record<
  'dashboard' | 'breakdown' | 'months',
  Mock<typeof fetch>
> {
  const mocks = {
    dashboard: vi.fn<typeof fetch>(async () => responses.dashboard()),
    breakdown: vi.fn<typeof fetch>(async () => responses.breakdown()),
    months: vi.fn<typeof fetch>(async () => respondMonths()),
  };
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const path = String(input);
    for (const [name, respond] of Object.entries(mocks)) {
      if (path.startsWith(`/api/analytics/${name}`)) return respond(input, init);
    }
    // `setup.ts` fails the test.
    if (!/^\/api\/(settings|analytics\/rows)/.test(path))
      console.error(`no mocked response for ${path}`);
    return new Promise(() => {});
  });
  return mocks;
}
