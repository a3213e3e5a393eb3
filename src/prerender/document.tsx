import { isPlaceholder } from '../../server/contract/placeholder.ts';
import { site } from '../../site.config.ts';
import { bootLoader } from '../boot/loader.ts';
import { fontFaces, fontFiles } from '../theme/fonts.ts';

/** The HTML document of a prerendered page, with everything that the first paint needs. */
export function Document({
  title,
  isHome,
  boot,
  css,
  markup,
}: {
  title: string;
  /** The landing page is indexed, counts its visits and loads the opt-in script. */
  isHome: boolean;
  /** URL of the boot script. */
  boot: string;
  css: string;
  markup: string;
}) {
  const home = isHome ? 'home' : undefined;
  const optIn = isPlaceholder(site.optInScript) ? undefined : site.optInScript;
  return (
    <html lang="en" data-page={home} data-opt-in-script={home && optIn}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <meta name="description" content={site.seo.description} />
        {!isHome && <meta name="robots" content="noindex" />}
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#F7F9F8" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0B141E" media="(prefers-color-scheme: dark)" />
        {fontFiles.map((href) => (
          <link key={href} rel="preload" href={href} as="font" type="font/woff2" crossOrigin="" />
        ))}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {isHome && (
          <>
            <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
            <link rel="manifest" href="/manifest.webmanifest" />
          </>
        )}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: CSS of our own components, generated at build */}
        <style dangerouslySetInnerHTML={{ __html: fontFaces + css }} />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own inline script */}
        <script dangerouslySetInnerHTML={{ __html: bootLoader(boot) }} />
      </head>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: markup of our own components, rendered at build */}
      <body dangerouslySetInnerHTML={{ __html: markup }} />
    </html>
  );
}
