import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { AppProviders, styleCache } from '../app-providers.tsx';
import { PhotoField } from './photo-field.tsx';

afterEach(cleanup);

const onChange = vi.fn();
const show = (props: Partial<ComponentProps<typeof PhotoField>>) =>
  render(
    <AppProviders cache={styleCache()}>
      <PhotoField label="Photo of you" value="" shape="portrait" onChange={onChange} {...props} />
    </AppProviders>,
  );
const buttons = () => screen.queryAllByRole('button').map(({ textContent }) => textContent);

it('the field of a photo offers to choose one, and another one or none once there is one', () => {
  const { unmount } = show({ id: 'field-about.photo' });
  expect(buttons()).toEqual(['Choose a photo']);
  expect(screen.getByRole('button').id).toBe('field-about.photo');
  unmount();
  show({ value: '/photos/a.jpg' });
  expect(screen.getByRole('img', { name: 'Photo of you' })).toHaveProperty(
    'src',
    `${location.origin}/photos/a.jpg`,
  );
  expect(buttons()).toEqual(['Other photo', 'Remove']);
  fireEvent.click(screen.getByText('Remove'));
  expect(onChange).toHaveBeenCalledExactlyOnceWith('');
});

it('the field of a photo that is locked shows it without buttons', () => {
  show({ value: '/photos/a.jpg', isLocked: true });
  expect(screen.getByRole('img')).toBeTruthy();
  expect(buttons()).toEqual([]);
});

it('the field of a photo says its help and its mistake', () => {
  show({ help: 'A picture of you.', mistake: 'This picture is not on the server.' });
  const field = screen.getByRole('group', { name: 'Photo of you' });
  const description = document.getElementById(field.getAttribute('aria-describedby') ?? '');
  expect(description?.textContent).toBe('This picture is not on the server.A picture of you.');
  expect(screen.getByRole('alert').textContent).toBe('This picture is not on the server.');
});

it('the field of a photo from a file names the file, of which the build keeps only smaller ones', () => {
  show({ value: '/me.jpg' });
  fireEvent.error(screen.getByRole('img'));
  expect(screen.getByText('me.jpg, from the folder public')).toBeTruthy();
});
