import { site } from '../site.config.ts';
import { fontFaces, fontFiles } from './fonts.ts';

/** The whole document of a prerendered page: everything the first paint needs is in it. */
export function Document({
  title,
  indexed,
  boot,
  css,
  markup,
}: {
  title: string;
  /** Whether search engines shall list the page. */
  indexed: boolean;
  /** Address of the boot script. */
  boot: string;
  css: string;
  markup: string;
}) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <meta name="description" content={site.seo.description} />
        {!indexed && <meta name="robots" content="noindex" />}
        <meta name="color-scheme" content="light dark" />
        {fontFiles.map((href) => (
          <link key={href} rel="preload" href={href} as="font" type="font/woff2" crossOrigin="" />
        ))}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: CSS of our own components, made at build */}
        <style dangerouslySetInnerHTML={{ __html: fontFaces + css }} />
        <script type="module" src={boot} />
      </head>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: markup of our own components, made at build */}
      <body dangerouslySetInnerHTML={{ __html: markup }} />
    </html>
  );
}
