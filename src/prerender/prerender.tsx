/**
 * The pages that are plain HTML: rendered once at build, from the same components as everything else.
 * During development they are rendered for each request.
 */

import { transform } from 'lightningcss';
import type { ReactElement } from 'react';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import type { PageAssets, PageName, TextName } from '../../server/contract/pages.ts';
import type { Pictures } from '../../server/contract/pictures.ts';
import { site } from '../../site.config.ts';
import { AppProviders, styleCache } from '../app-providers.tsx';
import { Island, type IslandModule, Islands, idPrefix, type Prerendered } from '../boot/island.tsx';
import { ContactFailed, ContactSent } from '../contact/answer-pages.tsx';
import { LandingPage } from '../landing/page.tsx';
import { photosOf } from '../landing/photos.ts';
import { seoHead } from '../seo/head.ts';
import { icons } from '../seo/icons.tsx';
import { shareCard, sharePicture } from '../seo/share-card.tsx';
import { texts } from '../seo/texts.ts';
import { settleTokens, systemWithoutTokens } from '../theme/page-tokens.ts';
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

/** Every picture that is made of the owner's words and colours. */
export const pictures: Pictures = { ...icons, [sharePicture]: shareCard };

/** Every photo of the owner's that the pages show. */
export const photos = photosOf(site);

/** Every prerendered document by its name. */
export function renderPages(assets: PageAssets): Record<PrerenderedPage, string> {
  const documents = {} as Record<PrerenderedPage, string>;
  for (const name of [...Object.keys(pages), ...Object.keys(texts)] as PrerenderedPage[]) {
    documents[name] = renderPage(name, assets);
  }
  return documents;
}

/** One prerendered document. The styles of a page are exactly those its components asked for. */
export function renderPage(name: PrerenderedPage, assets: PageAssets): string {
  return isText(name) ? texts[name](site) : renderHtml(name, assets);
}

const isText = (name: PrerenderedPage): name is TextName => name in texts;

function renderHtml(name: HtmlPage, assets: PageAssets): string {
  const { title, body, isHome = false } = pages[name];
  const cache = styleCache();
  const rendered = new Map<string, Prerendered>();
  const renderIsland = (name: string): Prerendered | undefined => {
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
      <Islands value={renderIsland}>
        <Photos value={assets.photos}>{body}</Photos>
        <Island name="visit" />
      </Islands>
    </AppProviders>,
  );
  const inIslands = [...rendered.values()].map(({ html }) => html).join('');
  const settled = settleTokens(
    { css: Object.values(cache.inserted).join('\n'), markup },
    inIslands,
  );
  const css = minified(settled.css);
  const document = renderToStaticMarkup(
    <Document
      title={title}
      isHome={isHome}
      boot={assets.boot}
      {...shortenClasses({ css, markup: settled.markup }, inIslands)}
    />,
  );
  const forFinders = isHome ? seoHead({ words: site, picture: assets.sharePicture }) : '';
  const whole = document.replace('<style>', (style) => forFinders + style);
  return `<!doctype html>${compactHtml(whole)}`;
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
