/**
 * Renders emails as HTML for Gmail, Outlook and Apple Mail: inline styles, no tables, nothing to load.
 * The classes are only for dark mode, which inline styles cannot express.
 */
import { mailto } from '../contract/mailto.ts';
import { inLine, inLines, withoutControls } from '../text/printable.ts';
import type { Block, Email, Fact, Figure } from './email.ts';

/** What an email shows of the owner’s brand, from `site.config.ts`. */
export interface Brand {
  name: string;
  lines: Record<'management' | 'consulting' | 'infrastructure', Modes>;
}

interface Modes {
  light: string;
  dark: string;
}

/** Returns the HTML document of an email. */
export const toHtml = (
  { language = 'en', subject, blocks }: Pick<Email, 'language' | 'subject' | 'blocks'>,
  brand: Brand,
) =>
  html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${inLine(subject)}</title>
<style>${new Html(darkModeOf(brand))}</style>
</head>
<body class="page" style="margin:0;background:${page.light}">
<div class="page" style="background:${page.light};color:${foreground.light};font:16px/1.5 -apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;overflow-wrap:anywhere;word-break:break-word">
<div style="max-width:560px;margin:0 auto;padding:28px 20px 40px">
<div class="content">
${blocks.map((block) => htmlOf(block, brand))}</div>
${footerOf(brand)}
</div>
</div>
</body>
</html>
`.text;

/** The colours of pages, the same as in `src/theme/theme.ts`. */
const page = { light: '#F7F9F8', dark: '#0B141E' };
const tint = { light: '#E6EDEB', dark: '#14212E' };
const foreground = { light: '#0E1B2A', dark: '#EEF3F2' };
const muted = { light: '#4E5D69', dark: '#A5B4BE' };
const hairline = { light: '#C9D4D1', dark: '#2B3A47' };

/** The colours of figures on the dashboard. */
const linesOf = ({ lines }: Brand) => ({
  blue: lines.management,
  red: lines.consulting,
  green: lines.infrastructure,
});

function darkModeOf(brand: Brand): string {
  const { blue, red, green } = linesOf(brand);
  const rules = {
    '.page': `background:${page.dark}!important;color:${foreground.dark}!important`,
    '.foreground': `color:${foreground.dark}!important;border-color:${foreground.dark}!important`,
    '.muted': `color:${muted.dark}!important`,
    '.tint': `background:${tint.dark}!important`,
    '.hairline': `border-color:${hairline.dark}!important`,
    '.button': `background:${foreground.dark}!important;color:${page.dark}!important`,
    '.blue': `border-color:${blue.dark}!important`,
    '.red': `border-color:${red.dark}!important`,
    '.green': `border-color:${green.dark}!important`,
  };
  const css = Object.entries(rules).map(([selector, style]) => `${selector}{${style}}`);
  return `:root{color-scheme:light dark;supported-color-schemes:light dark}@media (prefers-color-scheme:dark){${css.join('')}}`;
}

/**
 * The line and the station of the logo, without an image, and the name of the business. Below the content, since
 * lists of emails show the first words; hidden words for them make short emails look like spam.
 */
function footerOf({ name, lines }: Brand): Html {
  const drawn = 'display:inline-block;vertical-align:middle';
  return html`<div class="footer foreground" style="color:${foreground.light};border-top:4px solid ${foreground.light};padding-top:12px;margin-top:28px;font-size:20px;font-weight:700"><span aria-hidden="true"><span class="blue" style="${drawn};width:18px;border-top:4px solid ${lines.management.light}"></span><span class="foreground" style="${drawn};width:8px;height:8px;border:3px solid ${foreground.light};border-radius:50%;margin-right:10px"></span></span>${inLine(name)}</div>`;
}

function htmlOf(block: Block, brand: Brand): Html {
  switch (block.kind) {
    case 'title':
      return html`<h1 style="margin:0 0 16px;font-size:26px;line-height:1.2">${inLine(block.text)}</h1>
`;
    case 'heading':
      return html`<h2 style="margin:28px 0 8px;font-size:19px;line-height:1.3">${inLine(block.text)}</h2>
`;
    case 'text':
      if (block.isLink) return paragraph(linkTo(block.text, block.text));
      return paragraph(
        block.isStrong ? html`<strong>${lines(block.text)}</strong>` : lines(block.text),
      );
    case 'quote':
      return html`<blockquote class="blue" style="margin:0 0 16px;padding:2px 0 2px 16px;border-left:4px solid ${brand.lines.management.light};white-space:pre-wrap" dir="auto">${lines(block.text)}</blockquote>
`;
    case 'sender':
      return html`<p class="hairline" style="margin:28px 0 12px;padding-top:16px;border-top:1px solid ${hairline.light}">${personOf(block)}</p>
`;
    case 'signature':
      return html`<p class="hairline" style="margin:24px 0 12px;padding-top:16px;border-top:1px solid ${hairline.light}">${personOf(block)}</p>
<p class="muted" style="margin:0;font-size:14px;color:${muted.light}">${block.note}</p>
`;
    case 'facts':
      return html`<div style="margin:0 0 20px">${block.rows.map(factOf)}</div>
`;
    case 'figures':
      return html`<div style="margin:0 0 8px">${block.rows.map((row) => figureOf(row, brand))}</div>
`;
    case 'list':
      return html`<ul style="margin:0 0 16px;padding:0;list-style:none">${block.items.map(itemOf)}</ul>
`;
    case 'command':
      return html`<p class="tint" style="margin:0 0 16px;padding:10px 14px;background:${tint.light};font-family:Consolas,Menlo,monospace;font-size:15px">${block.text}</p>
`;
    case 'button':
      return html`<p style="margin:24px 0 16px"><a class="button" href="${block.url}" style="display:inline-block;padding:12px 22px;border-radius:6px;background:${foreground.light};color:${page.light};font-weight:600;text-decoration:none">${block.label}</a></p>
`;
  }
}

const paragraph = (content: Html) => html`<p style="margin:0 0 16px">${content}</p>
`;

const personOf = ({ name, address }: { name: string; address: string }) =>
  html`<strong><bdi>${inLine(name)}</bdi></strong><br>${addressLink(address)}`;

const addressLink = (address: string) => linkTo(mailto(address), address);

const linkTo = (url: string, label: string) =>
  html`<a class="foreground" href="${url}" style="color:${foreground.light}">${label}</a>`;

const factOf = ({ name, value, isAddress }: Fact) =>
  html`<p style="margin:0 0 10px"><span class="muted" style="font-size:14px;color:${muted.light}">${inLine(name)}</span><br>${isAddress ? addressLink(value) : inLine(value)}</p>
`;

/** Two beside each other where there is room, like the summary cards of the dashboard. */
const figureOf = ({ name, value, note, line }: Figure, brand: Brand) =>
  html`<div class="${line ?? 'foreground'}" style="display:inline-block;vertical-align:top;width:46%;min-width:min-content;margin:0 3% 20px 0;padding-top:8px;border-top:4px solid ${line ? linesOf(brand)[line].light : foreground.light}">${name}<br><strong style="font-size:26px;line-height:1.3;white-space:nowrap">${value}</strong>${note ? html`<br><span class="muted" style="font-size:14px;color:${muted.light}">${note}</span>` : ''}</div>
`;

const itemOf = (item: string) =>
  html`<li class="hairline" style="padding:8px 0;border-top:1px solid ${hairline.light}">${inLine(item)}</li>
`;

/** Text with its line breaks. Outlook ignores `white-space`, so they are elements. */
const lines = (text: string): Html => new Html(escaped(inLines(text)).replaceAll('\n', '<br>'));

/** Template tag that returns HTML. Escapes each value, unless it is the result of `html` itself. */
function html(parts: TemplateStringsArray, ...values: (string | Html | Html[])[]): Html {
  return new Html(parts.reduce((result, part, i) => `${result}${escaped(values[i - 1])}${part}`));
}

/** Escaped HTML. */
class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

function escaped(value: string | Html | Html[] | undefined): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(({ text }) => text).join('');
  return withoutControls(value ?? '').replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
}
