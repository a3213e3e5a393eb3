/**
 * The pages that are plain HTML: rendered once at build, from the same components as everything else.
 * During development they are rendered for each request.
 */

import { transform } from 'lightningcss';
import type { ReactElement } from 'react';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import type { PageAssets, PageName } from '../server/contract/pages.ts';
import { site } from '../site.config.ts';
import { shortenClasses } from './class-names.ts';
import { ContactFailed, ContactSent } from './contact/answer-pages.tsx';
import { Document } from './document.tsx';
import { Island, type IslandModule, Islands, idPrefix, type Prerendered } from './island.tsx';
import { LandingPage } from './landing/page.tsx';
import { NotFound } from './not-found.tsx';
import { Shell, styleCache } from './shell.tsx';

type PrerenderedPage = Exclude<PageName, 'app'>;

const pages: Record<PrerenderedPage, { title: string; body: ReactElement; isHome?: boolean }> = {
  home: { title: site.seo.title, body: <LandingPage />, isHome: true },
  'not-found': {
    title: `404 Page Not Found · ${site.brand.name}`,
    body: (
      <>
        <NotFound />
        <Island name="toaster" />
      </>
    ),
  },
  'contact-sent': { title: `Message sent · ${site.brand.name}`, body: <ContactSent /> },
  'contact-failed': { title: `Message not sent · ${site.brand.name}`, body: <ContactFailed /> },
};

const islands: IslandModule[] = Object.values(
  import.meta.glob<IslandModule>('./islands/*.tsx', { eager: true }),
);

/** Every prerendered page, by name, as a whole HTML document. */
export function renderPages(assets: PageAssets): Record<PrerenderedPage, string> {
  const html = {} as Record<PrerenderedPage, string>;
  for (const name of Object.keys(pages) as PrerenderedPage[]) html[name] = renderPage(name, assets);
  return html;
}

/** One prerendered page. Its styles are exactly those its components asked for. */
export function renderPage(name: PrerenderedPage, assets: PageAssets): string {
  const { title, body, isHome = false } = pages[name];
  const cache = styleCache();
  const rendered = new Map<string, Prerendered>();
  const renderIsland = (name: string): Prerendered | undefined => {
    const Component = islands.find((island) => island.name === name)?.Component;
    if (!Component) return undefined;
    const tree = (
      <Shell cache={cache}>
        <Component />
      </Shell>
    );
    const html = renderToString(tree, { identifierPrefix: idPrefix(name) });
    const island = { html, files: assets.islands[name] ?? [] };
    rendered.set(name, island);
    return island;
  };
  const markup = renderToStaticMarkup(
    <Shell cache={cache}>
      <Islands value={renderIsland}>
        {body}
        <Island name="visit" />
      </Islands>
    </Shell>,
  );
  const css = minified(Object.values(cache.inserted).join('\n'));
  const inIslands = [...rendered.values()].map(({ html }) => html).join('');
  const document = renderToStaticMarkup(
    <Document
      title={title}
      isHome={isHome}
      boot={assets.boot}
      {...shortenClasses({ css, markup }, inIslands)}
    />,
  );
  return `<!doctype html>${document}`;
}

function minified(css: string): string {
  const { code } = transform({
    filename: 'page.css',
    code: new TextEncoder().encode(css),
    minify: true,
    targets: { chrome: 111 << 16, firefox: 113 << 16, safari: (16 << 16) | (4 << 8) },
  });
  return new TextDecoder().decode(code);
}
