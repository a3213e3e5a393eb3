import type { ReactElement } from 'react';
import { expect, test } from 'vitest';
import { fillTemplate } from '../../server/http/template.ts';
import { ContactFailed } from '../contact/answer-pages.tsx';
import { LandingPage } from '../landing/page.tsx';
import { rendered } from '../testing/rendered.tsx';
import { compactHtml } from './compact-html.ts';
import { NotFound } from './not-found.tsx';

/** The parsed document, serialized. */
const parsed = (html: string) =>
  new DOMParser().parseFromString(`<!doctype html>${html}`, 'text/html').documentElement.outerHTML;

test.each<[name: string, page: ReactElement]>([
  ['the landing page', <LandingPage key="home" />],
  ['the not-found page', <NotFound key="unknown" />],
  ['the page of a failed message', <ContactFailed key="failed" />],
])('%s is shorter after compactHtml and parses to the same document', (_, page) => {
  const html = fillTemplate(rendered(page), {});
  expect(compactHtml(html).length).toBeLessThan(html.length);
  expect(parsed(compactHtml(html))).toBe(parsed(html));
});

test.each([
  ['<ul><li>a</li><li>b</li></ul>', '<ul><li>a<li>b</ul>'],
  ['<dl><div><dt>a</dt><dd>b</dd></div></dl>', '<dl><div><dt>a<dd>b</div></dl>'],
  ['<div><p>a</p><p>b</p></div>', '<div><p>a<p>b</div>'],
  ['<meta charSet="utf-8"/><br/>', '<meta charSet="utf-8"><br>'],
  ['<svg><path d="M0 0"></path></svg>', '<svg><path d="M0 0"/></svg>'],
])('compactHtml shortens %s', (html, short) => {
  expect(compactHtml(html)).toBe(short);
  expect(parsed(short)).toBe(parsed(html));
});

test.each([
  '<a href="/"><p>a</p></a>',
  '<div><p>a</p>b</div>',
  '<div><p>a</p><a href="/">b</a></div>',
  '<div><p>a</p><span>b</span></div>',
])('compactHtml keeps end tags that are not implied: %s', (html) =>
  expect(compactHtml(html)).toBe(html),
);
