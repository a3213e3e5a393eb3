import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { AppProviders, styleCache } from '../app-providers.tsx';
import { Honeypot } from './honeypot-field.tsx';

it('honeypot is an empty field that keyboards, screen readers and autofill skip', () => {
  const page = document.createElement('div');
  page.innerHTML = renderToStaticMarkup(
    <AppProviders cache={styleCache()}>
      <Honeypot />
    </AppProviders>,
  );
  const field = page.querySelector('input');
  const attributes = field?.getAttributeNames().filter((name) => name !== 'class') ?? [];
  expect(Object.fromEntries(attributes.map((name) => [name, field?.getAttribute(name)]))).toEqual({
    name: 'hq7x',
    tabindex: '-1',
    'aria-hidden': 'true',
    autocomplete: 'off',
  });
});
