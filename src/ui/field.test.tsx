import { cleanup, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, it } from 'vitest';
import { AppProviders, styleCache } from '../app-providers.tsx';
import { Field, Input, Textarea } from './field.tsx';

afterEach(cleanup);

const show = (node: ReactNode) => render(<AppProviders cache={styleCache()}>{node}</AppProviders>);
const descriptions = (control: HTMLElement) =>
  control
    .getAttribute('aria-describedby')
    ?.split(' ')
    .map((id) => document.getElementById(id)?.textContent);

it('a field’s label refers to its control', () => {
  show(<Field label="Name">{(control) => <Input {...control} name="name" required />}</Field>);
  const input = screen.getByLabelText('Name');
  expect(input.tagName).toBe('INPUT');
  expect(input.hasAttribute('required')).toBe(true);
  expect(input.hasAttribute('aria-describedby')).toBe(false);
  expect(input.hasAttribute('aria-invalid')).toBe(false);
});

it('a field’s hint and error describe its control', () => {
  show(
    <Field label="Message" hint="As long as you like." error="Please write something.">
      {(control) => <Textarea {...control} name="message" />}
    </Field>,
  );
  const area = screen.getByLabelText('Message');
  expect(area.tagName).toBe('TEXTAREA');
  expect(descriptions(area)).toEqual(['As long as you like.', 'Please write something.']);
  expect(area.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByRole('alert').textContent).toBe('Please write something.');
});
