import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { AppProviders, styleCache } from '../app-providers.tsx';
import type { Hours } from './spans.ts';
import { WeekGrid } from './week-grid.tsx';

afterEach(cleanup);

let hours: Hours;
let removed: string | undefined;

function Owner({ initial, isLocked }: { initial: Hours; isLocked: boolean }) {
  const [value, setValue] = useState(initial);
  hours = value;
  return (
    <WeekGrid
      value={value}
      isLocked={isLocked}
      onChange={(next, words) => {
        removed = words;
        setValue(next);
      }}
    />
  );
}

/** The grid with the focus on the name of Monday. */
async function open(initial: Hours, { isLocked = false } = {}) {
  removed = undefined;
  render(
    <AppProviders cache={styleCache()}>
      <Owner initial={initial} isLocked={isLocked} />
    </AppProviders>,
  );
  const user = userEvent.setup();
  await user.tab();
  return user;
}

const focused = () => document.activeElement?.getAttribute('aria-label');

test('the arrows of the week go from day to day and from span to span', async () => {
  const user = await open({ tuesday: ['10:00-12:30', '14:00-16:30'], wednesday: ['15:00-16:00'] });
  const visited = [focused()];
  for (const key of ['Down', 'Right', 'Right', 'Down', 'Up', 'Left', 'Left', 'Up', 'Up']) {
    await user.keyboard(`{Arrow${key}}`);
    visited.push(focused());
  }
  expect(visited).toEqual([
    'Add hours on Monday',
    'Add hours on Tuesday',
    'Tuesday 10:00 AM to 12:30 PM',
    'Tuesday 2:00 PM to 4:30 PM',
    'Wednesday 3:00 PM to 4:00 PM',
    'Tuesday 2:00 PM to 4:30 PM',
    'Tuesday 10:00 AM to 12:30 PM',
    'Add hours on Tuesday',
    'Add hours on Monday',
    'Add hours on Monday',
  ]);
});

test('Enter on a day of the week adds 10:00 to 12:00, chooses it and announces it', async () => {
  const user = await open({});
  await user.keyboard('{Enter}');
  expect(hours).toEqual({ monday: ['10:00-12:00'] });
  expect(focused()).toBe('Monday 10:00 AM to 12:00 PM');
  expect(screen.getByRole('status').textContent).toBe('Monday 10:00 AM to 12:00 PM');
  expect(screen.getByText('Chosen: Monday, 10:00 AM–12:00 PM')).toBeDefined();
});

test('Shift and the arrows change the start and the end by 15 minutes, and spans that meet join', async () => {
  const user = await open({ monday: ['10:00-12:00', '12:15-13:00'] });
  await user.keyboard('{ArrowRight}{Shift>}{ArrowUp}{ArrowUp}{ArrowDown}{ArrowLeft}{/Shift}');
  expect(hours.monday).toEqual(['09:45-11:45', '12:15-13:00']);
  await user.keyboard('{Shift>}{ArrowRight}{ArrowRight}{/Shift}');
  expect(hours.monday).toEqual(['09:45-13:00']);
  expect(focused()).toBe('Monday 9:45 AM to 1:00 PM');
});

test('Delete removes the chosen span and says which', async () => {
  const user = await open({ monday: ['10:00-12:00', '14:00-15:00'] });
  await user.keyboard('{ArrowRight}{Delete}');
  expect(hours.monday).toEqual(['14:00-15:00']);
  expect(removed).toBe('Monday, 10:00 AM–12:00 PM');
  expect(focused()).toBe('Add hours on Monday');
});

test('a chosen span is copied to all days, where it joins theirs', async () => {
  const user = await open({ monday: ['10:00-12:00'], friday: ['09:00-11:00'] });
  await user.keyboard('{ArrowRight}');
  await user.click(screen.getByRole('button', { name: 'Copy to all days' }));
  expect(hours).toMatchObject({ monday: ['10:00-12:00'], friday: ['09:00-12:00'] });
  expect(hours.sunday).toEqual(['10:00-12:00']);
});

test('a week that is locked can be walked through and not changed', async () => {
  const user = await open({ monday: ['10:00-12:00'] }, { isLocked: true });
  await user.keyboard('{Enter}{ArrowRight}{Delete}{Shift>}{ArrowRight}{/Shift}');
  expect(focused()).toBe('Monday 10:00 AM to 12:00 PM');
  expect(hours).toEqual({ monday: ['10:00-12:00'] });
  expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull();
});

test('the week begins before 8 AM where the hours do', async () => {
  await open({ monday: ['06:30-07:00'] });
  expect(screen.getByText('6 AM')).toBeDefined();
  cleanup();
  await open({ monday: ['10:00-12:00'] });
  expect(screen.queryByText('6 AM')).toBeNull();
});
