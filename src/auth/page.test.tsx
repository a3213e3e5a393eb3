import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test } from 'vitest';
import { json, mockFetch, renderScreen, visited } from '../testing/screen.tsx';
import { LoginPage } from './page.tsx';

afterEach(cleanup);

const open = () => renderScreen(<LoginPage />, { at: '/admin' });
const field = () => screen.getByLabelText<HTMLInputElement>('Password');

async function tryPassword(response: () => Response | Promise<Response>) {
  const fetch = mockFetch(response);
  open();
  await userEvent.type(field(), 'open sesame{Enter}');
  return fetch;
}

test('login screen has the copy of the specification and a link back', () => {
  open();
  expect(screen.getByRole('heading', { level: 1 })).toHaveProperty('textContent', 'Admin Access');
  screen.getByText('Enter your password to access the analytics dashboard');
  expect(field().placeholder).toBe('Enter admin password');
  expect(field().autocomplete).toBe('current-password');
  expect(field().required).toBe(true);
  const back = screen.getByRole('link', { name: 'Back to Sales Page' });
  expect(back.getAttribute('href')).toBe('/');
});

test('login sends the password as JSON with cookies, then opens the dashboard', async () => {
  const fetch = await tryPassword(() => json({ ok: true }));
  await waitFor(() => expect(visited).toEqual(['/admin', '/analytics']));
  const [address, init] = fetch.mock.calls[0] ?? [];
  expect(address).toBe('/api/admin/login');
  expect(init).toMatchObject({
    method: 'POST',
    credentials: 'include',
    headers: { 'Content-Type': 'application/json' },
    body: '{"password":"open sesame"}',
  });
  expect(field().hasAttribute('value')).toBe(false);
});

const openLink = () => renderScreen(<LoginPage />, { at: '/admin#sign-in=a-token' });

test('sign-in link sends its token and opens the dashboard', async () => {
  const fetch = mockFetch(() => json({ ok: true }));
  openLink();
  await waitFor(() => expect(visited).toEqual(['/admin', '/analytics']));
  expect(fetch).toHaveBeenCalledTimes(1);
  const [address, init] = fetch.mock.calls[0] ?? [];
  expect(address).toBe('/api/admin/sign-in-link');
  expect(init).toMatchObject({ method: 'POST', body: '{"token":"a-token"}' });
});

test('sign-in link that is invalid shows the server’s message and the password form', async () => {
  const fetch = mockFetch(() =>
    json({ error: 'Not valid any more.', code: 'INVALID_SIGN_IN_LINK' }, 401),
  );
  openLink();
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe('Not valid any more.');
  expect(field().getAttribute('aria-invalid')).toBeNull();
  expect(visited).toEqual(['/admin']);
  fetch.mockImplementation(async () => json({ ok: true }));
  await userEvent.type(field(), 'open sesame{Enter}');
  await waitFor(() => expect(visited).toEqual(['/admin', '/analytics']));
});

test('sign-in link that is rejected without a message does not blame the password', async () => {
  mockFetch(() => json({}, 401));
  openLink();
  await screen.findByText(failed);
});

test('login succeeds whatever the response body is', async () => {
  await tryPassword(() => new Response(null, { status: 204 }));
  await waitFor(() => expect(visited).toContain('/analytics'));
});

test('login disables its button while it waits and ignores a second Enter', async () => {
  let finish = (_: Response) => {};
  const fetch = mockFetch(() => new Promise((resolve) => (finish = resolve)));
  open();
  await userEvent.type(field(), 'open sesame');
  const form = field().form as HTMLFormElement;
  fireEvent.submit(form);
  fireEvent.submit(form);
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Logging in...' });
  expect(button.disabled).toBe(true);
  fireEvent.submit(form);
  expect(fetch).toHaveBeenCalledTimes(1);
  finish(json({ error: 'Invalid password' }, 401));
  const again = await screen.findByRole<HTMLButtonElement>('button', { name: 'Access Dashboard' });
  expect(again.disabled).toBe(false);
});

const failed = 'Login failed. Please try again.';
const wait = 'Too many requests. Please wait a little and try again.';

describe('login error', () => {
  test.each<[string, () => Response, string]>([
    ['401 with a message', () => json({ error: 'No such key.' }, 401), 'No such key.'],
    ['401 with {}', () => json({}, 401), 'Invalid password'],
    ['401 with an empty message', () => json({ error: '' }, 401), 'Invalid password'],
    ['401 without a body', () => new Response(null, { status: 401 }), 'Invalid password'],
    ['429', () => json({ error: wait }, 429), wait],
    ['500 with a message', () => json({ error: 'Our fault.' }, 500), 'Our fault.'],
    ['500 in HTML', () => new Response('<h1>Bad Gateway</h1>', { status: 500 }), failed],
    [
      'a network failure',
      () => {
        throw new TypeError('Failed to fetch');
      },
      failed,
    ],
  ])('login error message for %s', async (_, response, message) => {
    await tryPassword(response);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toBe(message);
    expect(field().getAttribute('aria-describedby')).toBe(alert.id);
    expect(document.activeElement).toBe(field());
    expect(field().value).toBe('open sesame');
    expect(visited).toEqual(['/admin']);
  });
});

test.each([
  ['true', 'INVALID_PASSWORD', 401],
  [null, 'LOGIN_RATE_LIMITED', 429],
  [null, 'INTERNAL_ERROR', 500],
])('login sets aria-invalid to %s for the code %s', async (invalid, code, status) => {
  await tryPassword(() => json({ error: 'No.', code }, status));
  await screen.findByRole('alert');
  expect(field().getAttribute('aria-invalid')).toBe(invalid);
});

test('login clears the old message on the next attempt', async () => {
  const fetch = await tryPassword(() => json({}, 401));
  await screen.findByText('Invalid password');
  fetch.mockImplementation(() => new Promise(() => {}));
  await userEvent.type(field(), '{Enter}');
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});
