import { Input, Textarea } from '@chakra-ui/react';
import { cleanup, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, it } from 'vitest';
import { AppProviders, styleCache } from '../app-providers.tsx';
import { Field } from './field.tsx';

afterEach(cleanup);

const show = (node: ReactNode) => render(<AppProviders cache={styleCache()}>{node}</AppProviders>);

it('a field’s label refers to its control', () => {
  show(
    <Field label="Name">
      <Input name="name" required />
    </Field>,
  );
  const input = screen.getByLabelText('Name');
  expect(input.tagName).toBe('INPUT');
  expect(input.hasAttribute('required')).toBe(true);
  expect(input.hasAttribute('aria-describedby')).toBe(false);
  expect(input.hasAttribute('aria-invalid')).toBe(false);
});

it.each([true, false])('a field’s error describes its control when invalid is %s', (isInvalid) => {
  show(
    <Field label="Message" error="Please write something." isInvalid={isInvalid}>
      <Textarea name="message" />
    </Field>,
  );
  const area = screen.getByLabelText('Message');
  expect(area.tagName).toBe('TEXTAREA');
  const alert = screen.getByRole('alert');
  expect(alert.textContent).toBe('Please write something.');
  expect(area.getAttribute('aria-describedby')).toBe(alert.id);
  expect(area.getAttribute('aria-invalid')).toBe(isInvalid ? 'true' : null);
});
