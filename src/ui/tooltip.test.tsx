import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AppProviders, styleCache } from '../app-providers.tsx';
import { Tooltip, TooltipProvider } from './tooltip.tsx';

beforeEach(() => {
  vi.useFakeTimers();
  render(
    <AppProviders cache={styleCache()}>
      <TooltipProvider>
        {['one', 'two', 'three'].map((name) => (
          <Tooltip key={name} text={`About ${name}`}>
            <button type="button">{name}</button>
          </Tooltip>
        ))}
      </TooltipProvider>
    </AppProviders>,
  );
});
afterEach(async () => {
  // Chakra would consider a tooltip that is unmounted while open as still open.
  await pressEscape();
  cleanup();
  vi.useRealTimers();
});

const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const shown = () => screen.queryAllByRole('tooltip').map((tooltip) => tooltip.textContent);
const control = (name: string) => screen.getByRole('button', { name });

/** Waits for the first import of the tooltip's code, which takes no time of the fake clock. */
const codeLoaded = () => act(() => vi.dynamicImportSettled());

async function enter(name: string, pointerType = 'mouse') {
  fireEvent.pointerOver(control(name), { pointerType });
  fireEvent.pointerMove(control(name), { pointerType });
  await codeLoaded();
}
async function pressEscape() {
  fireEvent.keyDown(document.body, { key: 'Escape' });
  await wait(50);
}
/** Leaves and waits until the tooltip closes; the next step starts at that moment. */
async function leave(name: string) {
  fireEvent.pointerLeave(control(name), { pointerType: 'mouse' });
  await wait(150);
}

test('a tooltip opens after 700 ms and describes its control', async () => {
  await enter('one');
  await wait(690);
  expect(shown()).toEqual([]);
  await wait(30);
  expect(shown()).toEqual(['About one']);
  const described = control('one').getAttribute('aria-describedby');
  expect(screen.getByRole('tooltip').id).toBe(described);
});

test('the next tooltip opens at once within 300 ms after the last one closed', async () => {
  await enter('one');
  await wait(720);
  await leave('one');
  await wait(290);
  expect(shown()).toEqual([]);
  await enter('two');
  await wait(5);
  expect(shown()).toEqual(['About two']);

  await wait(5_000);
  await leave('two');
  await wait(290);
  await enter('three');
  await wait(5);
  expect(shown()).toEqual(['About three']);
});

test('the next tooltip opens after the full delay 310 ms after the last one closed', async () => {
  await enter('one');
  await wait(720);
  await leave('one');
  await wait(310);
  await enter('two');
  await wait(690);
  expect(shown()).toEqual([]);
  await wait(30);
  expect(shown()).toEqual(['About two']);
});

test('a tooltip that never opened does not shorten the delay of the next one', async () => {
  await enter('one');
  await wait(400);
  await leave('one');
  await enter('two');
  await wait(690);
  expect(shown()).toEqual([]);
});

test('Esc closes a tooltip', async () => {
  await enter('one');
  await wait(720);
  await pressEscape();
  expect(shown()).toEqual([]);
});

test('a tooltip stays open while the pointer is on it', async () => {
  await enter('one');
  await wait(720);
  fireEvent.pointerLeave(control('one'));
  fireEvent.pointerEnter(screen.getByRole('tooltip'));
  await wait(2_000);
  expect(shown()).toEqual(['About one']);
});

test('a tooltip opens at once on keyboard focus', async () => {
  fireEvent.keyDown(document.body, { key: 'Tab' });
  act(() => control('one').focus());
  await codeLoaded();
  await wait(5);
  expect(shown()).toEqual(['About one']);
});

test('a tooltip does not open on touch', async () => {
  await enter('one', 'touch');
  fireEvent.pointerDown(control('one'), { pointerType: 'touch' });
  fireEvent.click(control('one'));
  await wait(2_000);
  expect(shown()).toEqual([]);
});
