/** Every email that the server sends, as it arrives. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Window } from 'happy-dom';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { brand } from '../testing/email.ts';
import { emailSamples, type Typed } from '../testing/email-samples.ts';
import { openTestSmtp, type TestSmtp } from '../testing/smtp.ts';
import { createSmtp } from './smtp.ts';

const samples = await emailSamples();
const names = Object.keys(samples);
const origin = 'https://www.my-domain.com';

const hostile: Typed = {
  name: `<script>alert("x")</script>'"><img src=x onerror=alert(1)>\u202e\u200f`,
  company: '</title><style>*{display:none}</style>& Co',
  message: `<a href="https://evil.example">Win</a>\nhttps://evil.example javascript:alert(1)\r\n</blockquote></div>\u2067<!-- ${'W'.repeat(5000)}\n\n  two spaces &amp; &lt;b&gt;`,
  source: '"><iframe src="//evil.example">',
};

let smtp: TestSmtp;
beforeEach(async () => {
  smtp = await openTestSmtp();
});
afterEach(() => smtp.close());

/** The sample as it arrives, with its HTML parsed. */
async function received(name: string, all = samples) {
  const email = all[name];
  if (!email) throw new Error(`There is no sample "${name}".`);
  const deliver = createSmtp({ url: smtp.url, to: ['me@my-domain.com'], brand });
  const queued = { id: name, queuedAt: 0, deferrals: 0, refusals: 0 };
  expect(await deliver({ ...email, ...queued })).toEqual({ status: 'sent' });
  const { text = '', html = '', headers = [], attachments = [] } = smtp.emails.at(-1) ?? {};
  const type = headers.find(({ key }) => key === 'content-type')?.value;
  return { text, html, type, attachments, document: parse(html), subject: email.subject };
}

function parse(html: string) {
  const { document } = new Window();
  document.write(html);
  return document;
}

/** The words of the HTML without the footer, with each button as in plain text. */
function wordsIn(html: string) {
  const document = parse(html.replaceAll('<', ' <'));
  for (const button of document.querySelectorAll('a.button')) {
    button.append(`: ${button.getAttribute('href')}`);
  }
  document.querySelector('.footer')?.remove();
  return words(document.body.textContent);
}
const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu);

it('tests of emails have a sample of every subject in the code', async () => {
  const subjects = Object.values(samples).map(({ subject }) => subject);
  const missing: string[] = [];
  for (const path of await readdir('server', { recursive: true })) {
    if (!path.endsWith('.ts') || path.endsWith('.test.ts')) continue;
    const code = await readFile(join('server', path), 'utf8');
    for (const [, literal = ''] of code.matchAll(/^ +subject: ['`](.+)['`],$/gm)) {
      const words = literal.split(/\$\{(?:[^{}]|\{[^{}]*\})*\}/);
      const pattern = new RegExp(words.map((one) => one.replace(/[?().*+]/g, '\\$&')).join('.+'));
      if (!subjects.some((subject) => pattern.test(subject))) missing.push(literal);
    }
  }
  expect(missing).toEqual([]);
});

describe.each(names)('%s', (name) => {
  it(`email "${name}" has the same words as plain text and as HTML`, async () => {
    const { text, html, type, document, subject } = await received(name);
    expect(type).toMatch(/^multipart\/(alternative|mixed);/);
    expect(words(text)?.length).toBeGreaterThan(5);
    expect(wordsIn(html)).toEqual(words(text));
    expect(document.title).toBe(subject);
    expect(document.documentElement.lang).toBe('en');
    expect(document.querySelector('.footer')?.textContent).toBe(brand.name);
  });

  it(`email "${name}" loads nothing, and links to the site and to visitors only`, async () => {
    const { html, document } = await received(name);
    expect(html).not.toMatch(/url\(|@import|@font-face|\bsrc\b|srcset|background=/i);
    expect(document.querySelectorAll('img, link, script, iframe, object, form')).toHaveLength(0);
    const links = [...document.querySelectorAll('a')].map((a) => a.getAttribute('href') ?? '');
    for (const link of links) expect(link).toMatch(/^(https:\/\/www\.my-domain\.com\b|mailto:)/);
    expect(html.split(/https?:/)).toHaveLength(
      1 + links.filter((link) => link.startsWith(origin)).length,
    );
  });

  it(`email "${name}" holds what a visitor typed as text, in HTML too`, async () => {
    const { text, html, document } = await received(name, await emailSamples(hostile));
    const genuine = await received(name);
    expect(wordsIn(html)).toEqual(words(text));
    expect(`${text}${html}`).not.toMatch(/\p{Bidi_Control}/u);
    const linksOf = (one: typeof document) =>
      [...one.querySelectorAll('a')].map((a) => a.getAttribute('href'));
    expect(linksOf(document)).toEqual(linksOf(genuine.document));
    const attributes = [...document.querySelectorAll('body *')].flatMap((element) => [
      ...element.getAttributeNames(),
    ]);
    expect([...new Set(attributes)].filter((one) => !known.has(one))).toEqual([]);
    expect(document.querySelectorAll('body :is(script, img, iframe, style)')).toHaveLength(0);
    expect(document.querySelectorAll('style')).toHaveLength(1);
  });
});

const known = new Set(['aria-hidden', 'class', 'dir', 'href', 'style']);

it('email has the colours of the brand for light and for dark mode', async () => {
  const { html } = await received('week');
  const { management, consulting, infrastructure } = brand.lines;
  const [head = '', body = ''] = html.split('</head>');
  for (const { light, dark } of [management, consulting, infrastructure]) {
    expect(body).toContain(light);
    expect(head).toContain(dark);
  }
  expect(head).toContain('<meta name="color-scheme" content="light dark">');
});

it('list of emails shows the first words of an email, not its footer', async () => {
  const { document } = await received('invitation');
  expect(document.body.textContent.trim()).toMatch(
    /^Hello Zoë Müller,\sYour call is booked\.\sTuesday, November 24, 10:00–10:30 AM/,
  );
});

it('line breaks of a visitor are elements in HTML, since Outlook ignores white-space', async () => {
  const { html } = await received(
    'message',
    await emailSamples({ ...hostile, message: 'a\r\n\nb  c' }),
  );
  expect(html).toContain('>a<br><br>b  c</blockquote>');
});

it('link to a visitor holds the address as it is typed', async () => {
  const { document } = await received('message');
  expect(document.querySelector('a')?.getAttribute('href')).toBe('mailto:zoe@example.com');
});

it('invitation has its calendar file beside plain text and HTML', async () => {
  const { type, attachments } = await received('invitation');
  expect(type).toMatch(/^multipart\/mixed/);
  const types = attachments.map(({ mimeType, method }) => `${mimeType} ${method}`);
  expect(types).toContain('text/calendar REQUEST');
});
