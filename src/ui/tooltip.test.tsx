import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AppProviders, styleCache } from '../app-providers.tsx';
import { Tooltip } from './tooltip.tsx';

beforeEach(() => {
  vi.useFakeTimers();
  render(
    <AppProviders cache={styleCache()}>
      {['one', 'two', 'three'].map((name) => (
        <Tooltip key={name} text={`About ${name}`}>
          <button type="button">{name}</button>
        </Tooltip>
      ))}
    </AppProviders>,
  );
});
afterEach(async () => {
  cleanup();
  // The next test is not within the skip delay.
  await wait(1_000);
  vi.useRealTimers();
});

const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const shown = () => screen.queryAllByRole('tooltip').map((tooltip) => tooltip.textContent);
const control = (name: string) => screen.getByRole('button', { name });

const enter = (name: string, pointerType = 'mouse') =>
  fireEvent.pointerEnter(control(name), { pointerType });
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
  enter('one');
  await wait(690);
  expect(shown()).toEqual([]);
  await wait(30);
  expect(shown()).toEqual(['About one']);
  const described = control('one').getAttribute('aria-describedby');
  expect(screen.getByRole('tooltip').id).toBe(described);
});

test('the next tooltip opens at once within 300 ms after the last one closed', async () => {
  enter('one');
  await wait(720);
  await leave('one');
  await wait(290);
  expect(shown()).toEqual([]);
  enter('two');
  await wait(5);
  expect(shown()).toEqual(['About two']);

  await wait(5_000);
  await leave('two');
  await wait(290);
  enter('three');
  await wait(5);
  expect(shown()).toEqual(['About three']);
});

test('the next tooltip opens after the full delay 310 ms after the last one closed', async () => {
  enter('one');
  await wait(720);
  await leave('one');
  await wait(310);
  enter('two');
  await wait(690);
  expect(shown()).toEqual([]);
  await wait(30);
  expect(shown()).toEqual(['About two']);
});

test('a tooltip that never opened does not shorten the delay of the next one', async () => {
  enter('one');
  await wait(400);
  await leave('one');
  enter('two');
  await wait(690);
  expect(shown()).toEqual([]);
});

test('Esc closes a tooltip', async () => {
  enter('one');
  await wait(720);
  await pressEscape();
  expect(shown()).toEqual([]);
});

test('a tooltip stays open while the pointer is on it', async () => {
  enter('one');
  await wait(720);
  fireEvent.pointerLeave(control('one'));
  fireEvent.pointerEnter(screen.getByRole('tooltip'));
  await wait(2_000);
  expect(shown()).toEqual(['About one']);
});

test('a tooltip opens at once on keyboard focus', async () => {
  fireEvent.keyDown(document.body, { key: 'Tab' });
  act(() => control('one').focus());
  await wait(5);
  expect(shown()).toEqual(['About one']);
});

test('a tooltip does not open on touch', async () => {
  enter('one', 'touch');
  fireEvent.pointerDown(control('one'), { pointerType: 'touch' });
  fireEvent.click(control('one'));
  await wait(2_000);
  expect(shown()).toEqual([]);
});
