import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test } from 'vitest';
import { answerFetch, json, renderScreen, visited } from '../testing/screen.tsx';
import { LoginPage } from './page.tsx';

afterEach(cleanup);

const open = () => renderScreen(<LoginPage />, { at: '/admin' });
const field = () => screen.getByLabelText<HTMLInputElement>('Password');

async function tryPassword(answer: () => Response | Promise<Response>) {
  const fetch = answerFetch(answer);
  open();
  await userEvent.type(field(), 'open sesame{Enter}');
  return fetch;
}

test('says what it is and leads back to the sales page', () => {
  open();
  expect(screen.getByRole('heading', { level: 1 })).toHaveProperty('textContent', 'Admin Access');
  screen.getByText('Enter your password to access the analytics dashboard');
  expect(field().placeholder).toBe('Enter admin password');
  expect(field().autocomplete).toBe('current-password');
  expect(field().required).toBe(true);
  const back = screen.getByRole('link', { name: 'Back to Sales Page' });
  expect(back.getAttribute('href')).toBe('/');
});

test('sends the password as JSON with cookies, then opens the dashboard', async () => {
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

test('a sign-in link sends its token and opens the dashboard', async () => {
  const fetch = answerFetch(() => json({ ok: true }));
  openLink();
  await waitFor(() => expect(visited).toEqual(['/admin', '/analytics']));
  expect(fetch).toHaveBeenCalledTimes(1);
  const [address, init] = fetch.mock.calls[0] ?? [];
  expect(address).toBe('/api/admin/sign-in-link');
  expect(init).toMatchObject({ method: 'POST', body: '{"token":"a-token"}' });
});

test('a sign-in link that is not valid shows the server’s sentence and the password form', async () => {
  const fetch = answerFetch(() => json({ error: 'Not valid any more.' }, 401));
  openLink();
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe('Not valid any more.');
  expect(field().getAttribute('aria-invalid')).toBeNull();
  expect(visited).toEqual(['/admin']);
  fetch.mockImplementation(async () => json({ ok: true }));
  await userEvent.type(field(), 'open sesame{Enter}');
  await waitFor(() => expect(visited).toEqual(['/admin', '/analytics']));
});

test('a sign-in link that is refused without a sentence does not blame the password', async () => {
  answerFetch(() => json({}, 401));
  openLink();
  await screen.findByText(lost);
});

test('a success is a success whatever its body says', async () => {
  await tryPassword(() => new Response(null, { status: 204 }));
  await waitFor(() => expect(visited).toContain('/analytics'));
});

test('while waiting the button is disabled and says so; a second Enter sends nothing', async () => {
  let finish = (_: Response) => {};
  const fetch = answerFetch(() => new Promise((resolve) => (finish = resolve)));
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

const lost = 'Login failed. Please try again.';
const wait = 'Too many requests. Please wait a little and try again.';

describe('a failure is told in words', () => {
  test.each<[string, () => Response, string]>([
    ['401 with a sentence', () => json({ error: 'No such key.' }, 401), 'No such key.'],
    ['401 with {}', () => json({}, 401), 'Invalid password'],
    ['401 with an empty sentence', () => json({ error: '' }, 401), 'Invalid password'],
    ['401 without a body', () => new Response(null, { status: 401 }), 'Invalid password'],
    ['429', () => json({ error: wait }, 429), wait],
    ['500 with a sentence', () => json({ error: 'Our fault.' }, 500), 'Our fault.'],
    ['500 in HTML', () => new Response('<h1>Bad Gateway</h1>', { status: 500 }), lost],
    [
      'a dead network',
      () => {
        throw new TypeError('Failed to fetch');
      },
      lost,
    ],
  ])('%s', async (_, answer, sentence) => {
    await tryPassword(answer);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toBe(sentence);
    expect(field().getAttribute('aria-describedby')).toBe(alert.id);
    expect(document.activeElement).toBe(field());
    expect(field().value).toBe('open sesame');
    expect(visited).toEqual(['/admin']);
  });
});

test('only a refused password marks the field as wrong', async () => {
  await tryPassword(() => json({ error: 'Our fault.' }, 500));
  await screen.findByRole('alert');
  expect(field().getAttribute('aria-invalid')).toBeNull();
});

test('the next try starts without the old message', async () => {
  const fetch = await tryPassword(() => json({}, 401));
  await screen.findByText('Invalid password');
  fetch.mockImplementation(() => new Promise(() => {}));
  await userEvent.type(field(), '{Enter}');
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});
