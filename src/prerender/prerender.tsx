/**
 * Renders the public pages to HTML: at build, and when the owner publishes. During development they are rendered
 * for each request.
 */

import type { EmotionCache } from '@emotion/cache';
import type { ReactElement } from 'react';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import type {
  BookedVariables,
  BookVariables,
  DocumentName,
  PageVariables,
  RenderedSite,
  TextName,
} from '../../server/contract/pages.ts';
import { photoShapes } from '../../server/contract/photos.ts';
import type { Pictures } from '../../server/contract/pictures.ts';
import { fillWords } from '../../server/contract/words/words.ts';
import { site } from '../../site.config.ts';
import { legal, optIn } from '../../site.defaults.ts';
import { AppProviders, styleCache } from '../app-providers.tsx';
import { BookPage } from '../booking/pages/book.tsx';
import { BookedPage } from '../booking/pages/booked.tsx';
import { bookingScript } from '../booking/pages/script.ts';
import { type BookingKind, bookings } from '../booking/schedulers.ts';
import { Island, type IslandModule, IslandRenderer, idPrefix } from '../boot/island.tsx';
import { ContactFailed, ContactSent } from '../contact/answer-pages.tsx';
import { hashScript } from '../landing/hash-script.ts';
import { LandingPage } from '../landing/page.tsx';
import { photosOf } from '../landing/photos.ts';
import { canonicalTag, seoHead } from '../seo/head.ts';
import { icons, tabIconLink } from '../seo/icons.tsx';
import { sourceOf } from '../seo/pictures.ts';
import { shareCard, sharePicture } from '../seo/share-card.tsx';
import { texts } from '../seo/texts.ts';
import { fontsOf } from '../theme/fonts.ts';
import { type MadePhotos, madeOf, Photos } from '../ui/photo.tsx';
import { words } from '../ui/site-words.ts';
import { templateOf } from '../ui/template.tsx';
import { bootLoader, Document, documentStart } from './document.tsx';
import { Imprint } from './imprint.tsx';
import { NotFound } from './not-found.tsx';
import { Privacy } from './privacy.tsx';
import { importMap, wordsOf } from './words.ts';

/** URLs of the built client files, as prerendered pages refer to them. */
export interface PageAssets {
  /** The script that a prerendered page loads without user interaction. */
  boot: string;
  /** The script of a landing page with an opt-in script. */
  optIn: string;
  /** Files by island: its entry first, then every file that the entry imports. */
  islands: Record<string, string[]>;
  /** The groups of the owner's texts that scripts import; empty during development. */
  words: string[];
  /** The owner's photos; empty during development. */
  photos: MadePhotos;
}

interface PrerenderedBody {
  title: string;
  body: ReactElement;
  isHome?: boolean;
  description?: string;
  /** Whether search engines may list the page: by default, when it has a description. */
  isIndexed?: boolean;
  /** Replaces the boot script, with the islands that it hydrates. */
  script?: string;
  asksZone?: string;
}

const bookPage = (kind: BookingKind): PrerenderedBody => ({
  title: `${bookings[kind].title} · ${site.brand.name}`,
  description: bookings[kind].text,
  // Its free times change by the hour.
  isIndexed: false,
  body: <BookPage kind={kind} />,
  script: bookingScript,
  asksZone: templateOf<BookVariables>().value('asksZone'),
});

const pages: Record<keyof PageVariables, PrerenderedBody> = {
  home: {
    title: site.seo.title,
    description: site.seo.description,
    body: <LandingPage />,
    isHome: true,
  },
  'not-found': {
    title: `${site.notFound.title} · ${site.brand.name}`,
    body: <NotFound />,
  },
  imprint: {
    title: `${words.legal.imprint} · ${site.brand.name}`,
    description: fillWords(words.imprintPage.description, site.brand),
    body: <Imprint />,
  },
  privacy: {
    title: `${words.legal.privacy} · ${site.brand.name}`,
    description: fillWords(words.privacyPage.description, site.brand),
    body: <Privacy />,
  },
  'contact-sent': {
    title: `${words.contactPages.sentTitle} · ${site.brand.name}`,
    body: <ContactSent />,
  },
  'contact-failed': {
    title: `${words.contactPages.failedTitle} · ${site.brand.name}`,
    body: <ContactFailed />,
  },
  'book-strategy-call': bookPage('strategy-call'),
  'book-inbox-review': bookPage('inbox-review'),
  booking: {
    title: `${templateOf<BookedVariables>().value('headline')} · ${site.brand.name}`,
    body: <BookedPage />,
    script: bookingScript,
  },
};

const islands: IslandModule[] = Object.values(
  import.meta.glob<IslandModule>('../islands/*.tsx', { eager: true }),
);

/** Every picture that is drawn from the site's config. */
export const pictures: Pictures = { ...icons, [sharePicture]: shareCard };

/** Every photo of the owner's that the pages use. */
export const photos = photosOf(site);

/**
 * Renders every document.
 *
 * @param app the document of the admin app, as the bundler writes it
 */
export function renderSite(assets: PageAssets, app: string): RenderedSite {
  const names = [...Object.keys(pages), ...Object.keys(texts)] as DocumentName[];
  const rendered = Object.fromEntries(names.map((name) => [name, renderPage(name, assets)]));
  const { address, text } = wordsOf(site, assets.words);
  return {
    documents: { ...(rendered as Record<DocumentName, string>), app: withImportMap(app, address) },
    files: { [address]: text },
    pictures: Object.fromEntries(
      Object.entries(pictures).map(([address, draw]) => [address, sourceOf(draw)]),
    ),
  };
}

/** The files with the texts of these configs that scripts load, by their addresses. */
export const renderWords = (configs: readonly object[], { words }: PageAssets) =>
  Object.fromEntries(
    configs.map((config) => {
      const { address, text } = wordsOf(config, words);
      return [address, text];
    }),
  );

/** The document of the admin app with its import map, which must precede every script. */
const withImportMap = (app: string, address: string): string => {
  const map = importMap(address);
  return (
    documentStart({ scripts: [map] }) +
    app
      .replace(/^<!doctype html>/i, '')
      .replace(
        '<head>',
        `<head><script type="importmap">${map}</script><link rel="modulepreload" href="${address}">`,
      )
  );
};

/** One prerendered document. A page contains only the styles of its own components. */
export function renderPage(name: DocumentName, assets: PageAssets): string {
  return isText(name) ? texts[name](site) : renderHtml(name, assets);
}

const isText = (name: DocumentName): name is TextName => name in texts;

function renderHtml(name: keyof PageVariables, assets: PageAssets): string {
  const { title, description, body, isHome = false, asksZone } = pages[name];
  const { isIndexed = description !== undefined } = pages[name];
  const { script = (isHome ? hashScript : '') + bootLoader(assets.boot) } = pages[name];
  const cache = styleCache();
  const wordsFile = wordsOf(site, assets.words).address;
  const map = pages[name].script || assets.words.length === 0 ? undefined : importMap(wordsFile);
  let islandHtml = '';
  const renderIsland = (name: string) => {
    const Component = islands.find((island) => island.name === name)?.Component;
    if (!Component) return undefined;
    const tree = (
      <AppProviders cache={cache}>
        <Component />
      </AppProviders>
    );
    const html = renderToString(tree, { identifierPrefix: idPrefix(name) });
    islandHtml += html;
    return { html, files: [...(assets.islands[name] ?? []), ...(map ? [wordsFile] : [])] };
  };
  const markup = renderToStaticMarkup(
    <AppProviders cache={cache}>
      <IslandRenderer value={renderIsland}>
        <Photos value={assets.photos}>{body}</Photos>
        {!pages[name].script && <Island name="visit" />}
      </IslandRenderer>
    </AppProviders>,
  );
  const shorten = shortClasses(cache, islandHtml);
  const css = Object.values(cache.inserted).join('').replace(unreadVariables, '$1');
  const fonts = fontsOf(title + markup);
  const style = (fonts.faces + shorten(css)).replaceAll('</', '<\\/');
  const document = renderToStaticMarkup(
    <Document
      language={words.language}
      title={title}
      isHome={isHome}
      description={description}
      isIndexed={isIndexed}
      tabIcon={tabIconLink}
      importMap={map}
      script={script}
      optIn={isHome && optIn.script ? assets.optIn : undefined}
      asksZone={asksZone}
      fonts={fonts.files}
      style={style}
      markup={shorten(markup)}
    />,
  );
  const seoTags = isHome
    ? seoHead({
        ...{ config: site, legal, picture: sharePicture },
        portrait: portraitOf(assets.photos),
      })
    : isIndexed
      ? canonicalTag(`/${name}`)
      : '';
  const html = document
    .replace('charSet', 'charset')
    .replaceAll(' crossorigin=""', ' crossorigin')
    .replace('<style>', (style) => seoTags + style);
  return documentStart({ style, scripts: [...(map ? [map] : []), script] }) + html;
}

/** The path of the owner's portrait: the build serves smaller files in place of one from a file. */
function portraitOf(photos: MadePhotos): string {
  const { photo: address } = site.about;
  return madeOf(photos, { address, shape: photoShapes.portrait })?.src ?? address;
}

/** Strings, which stay, and variables that Chakra defines beside the styles and our components do not read. */
const unreadVariables =
  /("(?:[^"\\]|\\.)*")|--(?:bg-currentcolor|c-(?:sizes-)?breakpoint[\w-]*):[^;}]*;?/g;

/**
 * Returns the function that replaces Emotion's class names, which are hashes and compress badly, by short ones.
 * Those in `islandHtml` stay, since the islands compute them again.
 */
function shortClasses({ inserted }: EmotionCache, islandHtml: string): (text: string) => string {
  const shortNames = new Map<string, string>();
  return (text) =>
    text.replace(/\bcss-([\w-]+)/g, (name, id: string) => {
      // Words of the owner can look like a class name, too.
      if (!(id in inserted) || islandHtml.includes(name)) return name;
      const short = shortNames.get(name) ?? `c${shortNames.size.toString(36)}`;
      shortNames.set(name, short);
      return short;
    });
}
