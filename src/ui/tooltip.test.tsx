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
  // One that is open when it goes would be taken for open ever after.
  await pressEscape();
  cleanup();
  vi.useRealTimers();
});

const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const shown = () => screen.queryAllByRole('tooltip').map((tooltip) => tooltip.textContent);
const control = (name: string) => screen.getByRole('button', { name });

async function enter(name: string, pointerType = 'mouse') {
  fireEvent.pointerOver(control(name), { pointerType });
  fireEvent.pointerMove(control(name), { pointerType });
  await wait(0);
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

test('opens after 700 ms, tied to its control', async () => {
  await enter('one');
  await wait(690);
  expect(shown()).toEqual([]);
  await wait(30);
  expect(shown()).toEqual(['About one']);
  const described = control('one').getAttribute('aria-describedby');
  expect(screen.getByRole('tooltip').id).toBe(described);
});

test('the next one opens at once within 300 ms after the last closed', async () => {
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

test('310 ms after the last closed, the next one takes its time again', async () => {
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

test('one that was left before it opened does not speed up the next', async () => {
  await enter('one');
  await wait(400);
  await leave('one');
  await enter('two');
  await wait(690);
  expect(shown()).toEqual([]);
});

test('gives way to Esc', async () => {
  await enter('one');
  await wait(720);
  await pressEscape();
  expect(shown()).toEqual([]);
});

test('stays while the pointer rests on it', async () => {
  await enter('one');
  await wait(720);
  fireEvent.pointerLeave(control('one'));
  fireEvent.pointerEnter(screen.getByRole('tooltip'));
  await wait(2_000);
  expect(shown()).toEqual(['About one']);
});

test('opens at once for the keyboard', async () => {
  fireEvent.keyDown(document.body, { key: 'Tab' });
  act(() => control('one').focus());
  await wait(5);
  expect(shown()).toEqual(['About one']);
});

test('never opens by touch', async () => {
  await enter('one', 'touch');
  fireEvent.pointerDown(control('one'), { pointerType: 'touch' });
  act(() => control('one').focus());
  fireEvent.click(control('one'));
  await wait(2_000);
  expect(shown()).toEqual([]);
});
