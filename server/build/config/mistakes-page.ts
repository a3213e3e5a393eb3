import { escapeHtml } from '../../text/html.ts';

/** Returns the page that `npm run dev` serves in place of the site while `site.config.ts` has mistakes. */
export function mistakesPage(sentences: string[]): string {
  const items = sentences.map((sentence) => `<li>${escapeHtml(sentence)}</li>`).join('');
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>site.config.ts has mistakes</title>
    <style>
      body { max-width: 44em; margin: 4rem auto; padding: 0 1.5rem; font: 1.125rem/1.6 system-ui, sans-serif }
      li { margin-block: 1em }
    </style>
  </head>
  <body>
    <h1>Please mend site.config.ts</h1>
    <ul>${items}</ul>
    <p>This page shows the site again as soon as the file is saved without them.</p>
  </body>
</html>
`;
}
