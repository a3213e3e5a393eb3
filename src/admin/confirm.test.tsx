import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { AppProviders, styleCache } from '../app-providers.tsx';
import { Confirm } from './confirm.tsx';

afterEach(cleanup);

function renderConfirm() {
  const onConfirm = vi.fn(() => Promise.resolve());
  render(
    <AppProviders cache={styleCache()}>
      <Confirm
        label="Cancel call"
        question="Cancel it?"
        confirm="Cancel the call"
        keep="Keep it"
        onConfirm={onConfirm}
      />
    </AppProviders>,
  );
  return onConfirm;
}

it('a double click on the first button asks and confirms nothing', async () => {
  const onConfirm = renderConfirm();
  await userEvent.dblClick(screen.getByRole('button', { name: 'Cancel call' }));
  expect(screen.getByText('Cancel it?')).toBeTruthy();
  expect(onConfirm).not.toHaveBeenCalled();
});

it('the second button confirms once, also when it is clicked twice', async () => {
  const onConfirm = renderConfirm();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel call' }));
  await userEvent.dblClick(screen.getByRole('button', { name: 'Cancel the call' }));
  expect(onConfirm).toHaveBeenCalledTimes(1);
});
