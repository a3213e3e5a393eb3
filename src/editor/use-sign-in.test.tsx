import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link, Route, Routes } from 'react-router-dom';
import { afterEach, expect, test } from 'vitest';
import { HttpError } from '../api/http.ts';
import { json, mockFetch, renderScreen } from '../testing/screen.tsx';
import { useSignIn } from './use-sign-in.tsx';

afterEach(cleanup);

test('a call that waits for the sign-in fails when the login screen replaces the editor', async () => {
  mockFetch(() => json({}));
  const signedOut = new HttpError(401, 'Unauthorized', '');
  const outcomes: unknown[] = [];
  function Editor() {
    const { dialog, signedIn } = useSignIn(() => {});
    const save = () => signedIn(() => Promise.reject(signedOut));
    return (
      <>
        <button type="button" onClick={() => save().catch((error) => outcomes.push(error))}>
          Save
        </button>
        <Link to="/admin">Logout</Link>
        {dialog}
      </>
    );
  }
  renderScreen(
    <Routes>
      <Route path="/editor" element={<Editor />} />
      <Route path="/admin" element="Login" />
    </Routes>,
    { at: '/editor' },
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByRole('heading', { name: 'Sign in to save' });
  expect(outcomes).toEqual([]);
  await user.click(screen.getByText('Logout'));
  screen.getByText('Login');
  await expect.poll(() => outcomes).toEqual([signedOut]);
});
