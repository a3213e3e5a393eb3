import { createHash } from 'node:crypto';

/** The HTML document of a prerendered page, with everything that the first paint needs. */
export function Document({
  language,
  title,
  isHome,
  description,
  isIndexed,
  tabIcon,
  importMap,
  script,
  optIn,
  asksZone,
  fonts,
  style,
  markup,
}: {
  /** Its BCP 47 tag. */
  language: string;
  title: string;
  /** The landing page counts its visits. */
  isHome: boolean;
  description: string | undefined;
  isIndexed: boolean;
  /** The icon of browser tabs. */
  tabIcon: { href: string; type: string };
  /** Where scripts find the owner's texts; undefined for a page without them. */
  importMap: string | undefined;
  /** The inline script. */
  script: string;
  /** The address of the script that adds the opt-in script. */
  optIn: string | undefined;
  /** The template variable that says whether the page asks for the visitor's time zone. */
  asksZone?: string | undefined;
  /** URLs of the fonts to preload. */
  fonts: string[];
  /** The inline styles. */
  style: string;
  markup: string;
}) {
  const home = isHome ? 'home' : undefined;
  return (
    <html lang={language} data-page={home} data-asks-zone={asksZone}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        {description && <meta name="description" content={description} />}
        {!isIndexed && <meta name="robots" content="noindex" />}
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#F7F9F8" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0B141E" media="(prefers-color-scheme: dark)" />
        {fonts.map((href) => (
          <link key={href} rel="preload" href={href} as="font" type="font/woff2" crossOrigin="" />
        ))}
        <link rel="icon" {...tabIcon} />
        {/* Apple's systems look for /apple-touch-icon.png themselves. */}
        {isHome && <link rel="manifest" href="/manifest.webmanifest" />}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: CSS of our own components, generated at build */}
        <style dangerouslySetInnerHTML={{ __html: style }} />
        {importMap && (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: two addresses of our own
          <script type="importmap" dangerouslySetInnerHTML={{ __html: importMap }} />
        )}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own inline script */}
        <script dangerouslySetInnerHTML={{ __html: script }} />
        {optIn && <script type="module" src={optIn} />}
      </head>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: markup of our own components, rendered at build */}
      <body dangerouslySetInnerHTML={{ __html: markup }} />
    </html>
  );
}

/**
 * The start of a document, which names its inline elements for the content policy. The server reads it there
 * and nowhere else, so that no text of the page can allow a script.
 */
export const documentStart = ({
  style = '',
  scripts,
}: {
  style?: string;
  scripts: string[];
}): string => `<!doctype html><!--inline ${[style, ...scripts].map(sourceOf).join(' ')}-->`;

const sourceOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/**
 * The inline script of a prerendered page, which imports the boot script: after the first paint, so
 * that it does not compete with the content; immediately if the browser lacks invoker commands; and
 * again after three seconds, for browsers without paint timing and for failed requests. The retry uses
 * another URL, since some browsers (Chromium 143) cache a failed import.
 *
 * @param boot URL of the boot script
 */
export const bootLoader = (boot: string): string =>
  `{let n="",b=()=>import("${boot}"+n).catch(()=>n+="?");` +
  `"commandForElement"in HTMLButtonElement.prototype?` +
  `new PerformanceObserver(b).observe({type:"paint",buffered:!0}):b();setTimeout(b,3e3)}`;
