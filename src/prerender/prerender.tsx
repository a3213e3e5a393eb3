/**
 * Renders the public pages to HTML, once at build. During development they are rendered for each
 * request.
 */

import { transform } from 'lightningcss';
import type { ReactElement } from 'react';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import type { PageAssets, PageName, TextName } from '../../server/contract/pages.ts';
import type { Pictures } from '../../server/contract/pictures.ts';
import { site } from '../../site.config.ts';
import { AppProviders, styleCache } from '../app-providers.tsx';
import {
  Island,
  type IslandModule,
  IslandRenderer,
  idPrefix,
  type PrerenderedIsland,
} from '../boot/island.tsx';
import { ContactFailed, ContactSent } from '../contact/answer-pages.tsx';
import { LandingPage } from '../landing/page.tsx';
import { photosOf } from '../landing/photos.ts';
import { seoHead } from '../seo/head.ts';
import { icons } from '../seo/icons.tsx';
import { shareCard, sharePicture } from '../seo/share-card.tsx';
import { texts } from '../seo/texts.ts';
import { inlineTokens, systemWithoutTokens } from '../theme/page-tokens.ts';
import { Photos } from '../ui/photo.tsx';
import { shortenClasses } from './class-names.ts';
import { compactHtml } from './compact-html.ts';
import { Document } from './document.tsx';
import { NotFound } from './not-found.tsx';

type HtmlPage = Exclude<PageName, TextName | 'app'>;
type PrerenderedPage = HtmlPage | TextName;

const pages: Record<HtmlPage, { title: string; body: ReactElement; isHome?: boolean }> = {
  home: { title: site.seo.title, body: <LandingPage />, isHome: true },
  'not-found': {
    title: `${site.notFound.title} · ${site.brand.name}`,
    body: (
      <>
        <NotFound />
        <Island name="toaster" />
      </>
    ),
  },
  'contact-sent': {
    title: `${site.contactPages.sentTitle} · ${site.brand.name}`,
    body: <ContactSent />,
  },
  'contact-failed': {
    title: `${site.contactPages.failedTitle} · ${site.brand.name}`,
    body: <ContactFailed />,
  },
};

const islands: IslandModule[] = Object.values(
  import.meta.glob<IslandModule>('../islands/*.tsx', { eager: true }),
);

/** Every picture that the build draws from the site's config. */
export const pictures: Pictures = { ...icons, [sharePicture]: shareCard };

/** Every photo of the owner's that the pages use. */
export const photos = photosOf(site);

/** Every prerendered document, by its name. */
export function renderPages(assets: PageAssets): Record<PrerenderedPage, string> {
  const documents = {} as Record<PrerenderedPage, string>;
  for (const name of [...Object.keys(pages), ...Object.keys(texts)] as PrerenderedPage[]) {
    documents[name] = renderPage(name, assets);
  }
  return documents;
}

/** One prerendered document. A page contains only the styles of its own components. */
export function renderPage(name: PrerenderedPage, assets: PageAssets): string {
  return isText(name) ? texts[name](site) : renderHtml(name, assets);
}

const isText = (name: PrerenderedPage): name is TextName => name in texts;

function renderHtml(name: HtmlPage, assets: PageAssets): string {
  const { title, body, isHome = false } = pages[name];
  const cache = styleCache();
  const rendered = new Map<string, PrerenderedIsland>();
  const renderIsland = (name: string): PrerenderedIsland | undefined => {
    const Component = islands.find((island) => island.name === name)?.Component;
    if (!Component) return undefined;
    const tree = (
      <AppProviders cache={cache} value={systemWithoutTokens}>
        <Component />
      </AppProviders>
    );
    const html = renderToString(tree, { identifierPrefix: idPrefix(name) });
    const island = { html, files: assets.islands[name] ?? [] };
    rendered.set(name, island);
    return island;
  };
  const markup = renderToStaticMarkup(
    <AppProviders cache={cache} value={systemWithoutTokens}>
      <IslandRenderer value={renderIsland}>
        <Photos value={assets.photos}>{body}</Photos>
        <Island name="visit" />
      </IslandRenderer>
    </AppProviders>,
  );
  const islandMarkup = [...rendered.values()].map(({ html }) => html).join('');
  const page = inlineTokens(
    { css: Object.values(cache.inserted).join('\n'), markup },
    islandMarkup,
  );
  const css = minified(page.css);
  const document = renderToStaticMarkup(
    <Document
      title={title}
      isHome={isHome}
      boot={assets.boot}
      {...shortenClasses({ css, markup: page.markup }, islandMarkup)}
    />,
  );
  const seoTags = isHome ? seoHead({ config: site, picture: assets.sharePicture }) : '';
  const html = document.replace('<style>', (style) => seoTags + style);
  return `<!doctype html>${compactHtml(html)}`;
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
