import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import { App } from './app.tsx';
import { json, mockFetch, renderScreen, visited } from './testing/screen.tsx';

afterEach(cleanup);

const heading = () => screen.findByRole('heading', { level: 1 });

test('/admin shows the login', async () => {
  renderScreen(<App />, { at: '/admin' });
  expect((await heading()).textContent).toBe('Admin Access');
  await expect.poll(() => document.title).toBe('Admin Access');
});

test('/analytics redirects to the login without a session, and moves the focus there', async () => {
  mockFetch(() => json({ error: 'Unauthorized' }, 401));
  renderScreen(<App />, { at: '/analytics' });
  await screen.findByText('Admin Access');
  expect(visited).toEqual(['/analytics', '/admin']);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')));
});

test('login opens the dashboard, and Logout the login', async () => {
  mockFetch(() => json({}));
  renderScreen(<App />, { at: '/admin' });
  await heading();
  await userEvent.type(screen.getByLabelText('Password'), 'open sesame{Enter}');
  await screen.findByText('Analytics Dashboard');
  await expect.poll(() => document.title).toBe('Analytics Dashboard');
  await userEvent.click(screen.getByRole('button', { name: 'Logout' }));
  await screen.findByText('Admin Access');
  await expect.poll(() => document.title).toBe('Admin Access');
});

test.each([
  '/analytics?period=7d',
  '/analytics/bookings#past',
  '/analytics/messages?folder=spam',
  '/analytics/site?section=faq',
  '/analytics/settings#backup',
])('login returns to %s where the session ended', async (at) => {
  const fetch = mockFetch(() => json({ error: 'Unauthorized' }, 401));
  renderScreen(<App />, { at, inWindow: true });
  const password = await screen.findByPlaceholderText('Enter admin password');
  fetch.mockImplementation(async (input) =>
    input === '/api/admin/login' ? json({ ok: true }) : new Promise(() => {}),
  );
  await userEvent.type(password, 'open sesame{Enter}');
  await waitFor(() => expect(location.href).toBe(location.origin + at));
});

test('other paths are reloaded from the server', async () => {
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {});
  renderScreen(
    <>
      <Link to="/nowhere">Elsewhere</Link>
      <App />
    </>,
    { at: '/admin' },
  );
  await heading();
  await userEvent.click(screen.getByRole('link', { name: 'Elsewhere' }));
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
});
