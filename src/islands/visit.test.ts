import { expect, it, vi } from 'vitest';
import { isolateEachTest } from '../testing/isolate-each-test.ts';

isolateEachTest();

const started = vi.hoisted(() => ({ calls: [] as string[] }));
const part = vi.hoisted(() => (name: string, isBroken: boolean) => ({
  [name]: () => {
    started.calls.push(name);
    if (isBroken) throw new Error(`${name} is not supported`);
  },
}));
vi.mock('../attribution/attribution.ts', () => part('recordAttribution', true));
vi.mock('../landing/menus.ts', () => part('manageMenus', true));
vi.mock('../landing/scroll.ts', () => part('followHash', false));
vi.mock('../quiz/opening.ts', () => part('openQuizOnce', true));
vi.mock('../ui/held-enter.ts', () => part('ignoreHeldEnter', false));
vi.mock('../booking/pass-visit.ts', () => part('passVisit', false));
vi.mock('../booking/preconnect.ts', () => part('preconnectOnIntent', false));
vi.mock('../booking/frame-watch.ts', () => part('watchFrames', true));

it('the visit starts every part when some of them fail', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { mount } = await import('./visit.tsx');
  await mount();
  expect(started.calls).toEqual([
    'recordAttribution',
    'manageMenus',
    'followHash',
    'openQuizOnce',
    'ignoreHeldEnter',
    'passVisit',
    'preconnectOnIntent',
    'watchFrames',
  ]);
  expect(errors).toHaveBeenCalledTimes(4);
  errors.mockClear();
});
