import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef } from 'react';
import { afterEach, expect, test } from 'vitest';
import { AppProviders, styleCache } from '../app-providers.tsx';
import { Field } from './field.tsx';
import { PasswordInput } from './password-input.tsx';

afterEach(cleanup);

function Form() {
  const ref = useRef<HTMLInputElement>(null);
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <Field label="Secret">
        <PasswordInput ref={ref} name="secret" />
      </Field>
    </form>
  );
}

function open() {
  render(
    <AppProviders cache={styleCache()}>
      <Form />
    </AppProviders>,
  );
  return screen.getByLabelText<HTMLInputElement>('Secret');
}

const toggle = () => screen.getByRole<HTMLButtonElement>('button');
const status = () => screen.getByRole('status').textContent;

test('the toggle shows and hides the password and announces it', async () => {
  const field = open();
  expect(field.type).toBe('password');
  expect(toggle().type).toBe('button');
  expect(toggle().textContent).toBe('Show password');
  expect(toggle().getAttribute('aria-controls')).toBe(field.id);
  expect(status()).toBe('');

  await userEvent.click(toggle());
  expect(field.type).toBe('text');
  expect(toggle().textContent).toBe('Hide password');
  expect(status()).toBe('Your password is visible');

  await userEvent.click(toggle());
  expect(field.type).toBe('password');
  expect(status()).toBe('Your password is hidden');
});

test('the toggle works by keyboard', async () => {
  const field = open();
  await userEvent.tab();
  await userEvent.tab();
  expect(document.activeElement).toBe(toggle());
  await userEvent.keyboard('{Enter}');
  expect(field.type).toBe('text');
  await userEvent.keyboard(' ');
  expect(field.type).toBe('password');
});

test('the toggle keeps the value and the selection', async () => {
  const field = open();
  await userEvent.type(field, 'correct horse');
  field.setSelectionRange(3, 5);
  await userEvent.click(toggle());
  expect(field.value).toBe('correct horse');
  expect([field.selectionStart, field.selectionEnd]).toEqual([3, 5]);
  expect(field.hasAttribute('value')).toBe(false);
});

test('the password is hidden on submit', async () => {
  const field = open();
  await userEvent.click(toggle());
  fireEvent.submit(field);
  expect(field.type).toBe('password');
  expect(status()).toBe('Your password is hidden');
});
