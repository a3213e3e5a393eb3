/** robots.txt, sitemap.xml, llms.txt and the web app manifest. */
import { mailto } from '../../server/contract/mailto.ts';
import type { TextName } from '../../server/contract/pages.ts';
import { withWords } from '../../server/contract/words/words.ts';
import type { site } from '../../site.config.ts';
import { absoluteUrl, ifOriginKnown, realEmail, withoutPlaceholders } from './address.ts';
import { colour } from './colours.ts';
import { manifestSizes } from './icons.tsx';

type Config = typeof site;

/** The templates of the text files, by file name at the root of the site. */
export const texts = {
  'robots.txt': robots,
  'sitemap.xml': sitemap,
  'llms.txt': llms,
  'manifest.webmanifest': manifest,
} satisfies Record<TextName, (config: Config) => string>;

/** Pages that are `noindex` are not disallowed: search engines list a page whose `noindex` they may not read. */
function robots(): string {
  return [
    'User-agent: *',
    'Disallow: /api/',
    ifOriginKnown(`\nSitemap: ${absoluteUrl('/sitemap.xml')}\n`),
  ].join('\n');
}

/** The pages for search engines. */
const indexedPaths = ['/', '/privacy', '/imprint'];

/** Without `lastmod`: the build date does not show when the content last changed. */
function sitemap(): string {
  const urls = indexedPaths.map((path) => `<url><loc>${absoluteUrl(path)}</loc></url>`).join('\n');
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ifOriginKnown(urls),
    '</urlset>\n',
  ].join('\n');
}

function manifest(config: Config): string {
  const { brand, seo, language } = withWords(config);
  const icon = (name: string, size: number, purpose: 'any' | 'maskable') => ({
    src: `/${name}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  });
  return JSON.stringify({
    id: '/',
    name: brand.name,
    short_name: brand.name,
    description: seo.description,
    lang: language,
    start_url: '/',
    // A website, not an installable app.
    display: 'browser',
    background_color: colour('bg'),
    theme_color: colour('bg'),
    icons: [
      ...manifestSizes.map((size) => icon(`icon-${size}`, size, 'any')),
      icon('icon-maskable', 512, 'maskable'),
    ],
  });
}

/** The services and how to book them, in the format of llmstxt.org. */
function llms(config: Config): string {
  const { brand, seo, hero, about, services, steps, faq, schedulers, links, dialogs } = config;
  const { textFiles } = withWords(config);
  const { management, consulting, infrastructure } = services;
  const email = realEmail(brand.email);
  const lines = [
    `# ${brand.name}`,
    `> ${seo.description}`,
    [brand.tagline, hero.lead, ...about.text].join('\n\n'),
    `## ${textFiles.services}`,
    ...Object.entries({ management, consulting, infrastructure }).map(
      ([id, { name, summary, points }]) =>
        [
          `- [${name}](${absoluteUrl(`/#${id}`)}): ${summary}`,
          ...points.map((p) => `  - ${p}`),
        ].join('\n'),
    ),
    `## ${steps.title}`,
    steps.steps.map(({ title, text }, i) => `${i + 1}. ${title}: ${text}`).join('\n'),
    `## ${faq.title}`,
    ...faq.items.map(({ question, answer }) => `### ${question}\n\n${answer}`),
    `## ${textFiles.book}`,
    [
      `- [${dialogs.strategyCall.title}](${withoutPlaceholders([schedulers.strategyCall])[0] ?? absoluteUrl('/')}): ${dialogs.strategyCall.text}`,
      `- [${dialogs.inboxReview.title}](${withoutPlaceholders([schedulers.inboxReview])[0] ?? absoluteUrl('/')}): ${dialogs.inboxReview.text}`,
      ...withoutPlaceholders([links.quiz]).map(
        (quiz) => `- [${config.assessment.title}](${quiz}): ${config.assessment.lead}`,
      ),
      ...(email ? [`- [${email}](${mailto(email)})`] : []),
      ...withoutPlaceholders([links.linkedin, links.instagram]).map((profile) => `- <${profile}>`),
    ].join('\n'),
  ];
  return `${lines.join('\n\n')}\n`;
}
