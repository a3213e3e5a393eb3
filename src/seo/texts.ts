/** The documents for machines that are plain text, by their name at the root of the site. */
import type { TextName } from '../../server/contract/pages.ts';
import type { site } from '../../site.config.ts';
import { addressOf, filledIn, realEmail, whenOriginIsKnown } from './address.ts';
import { colour } from './colours.ts';
import { manifestSizes } from './icons.tsx';

type Words = typeof site;

/** Each text, as the site sends it. */
export const texts: Record<TextName, (words: Words) => string> = {
  'robots.txt': robots,
  'sitemap.xml': sitemap,
  'llms.txt': llms,
  'manifest.webmanifest': manifest,
};

function robots(): string {
  return [
    'User-agent: *',
    'Disallow: /admin',
    'Disallow: /analytics',
    'Disallow: /api/',
    `${whenOriginIsKnown.from}\nSitemap: ${addressOf('/sitemap.xml')}\n${whenOriginIsKnown.to}`,
  ].join('\n');
}

/** No date: when the words last changed is not known, and a date of the build would say they did. */
function sitemap(): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    `${whenOriginIsKnown.from}<url><loc>${addressOf('/')}</loc></url>${whenOriginIsKnown.to}`,
    '</urlset>\n',
  ].join('\n');
}

function manifest({ brand, seo }: Words): string {
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
    lang: 'en',
    start_url: '/',
    // A page to read and come back to, no program.
    display: 'browser',
    background_color: colour('bg'),
    theme_color: colour('bg'),
    icons: [
      ...manifestSizes.map((size) => icon(`icon-${size}`, size, 'any')),
      icon('icon-maskable', 512, 'maskable'),
    ],
  });
}

/** What the business offers and how to book it, in the form of llmstxt.org. */
function llms(words: Words): string {
  const { brand, seo, hero, about, services, steps, faq, schedulers, links, dialogs } = words;
  const { management, consulting, infrastructure } = services;
  const email = realEmail(brand.email);
  const lines = [
    `# ${brand.name}`,
    `> ${seo.description}`,
    [brand.tagline, hero.lead, ...about.text].join('\n\n'),
    '## Services',
    ...Object.entries({ management, consulting, infrastructure }).map(
      ([id, { name, summary, points }]) =>
        [`- [${name}](${addressOf(`/#${id}`)}): ${summary}`, ...points.map((p) => `  - ${p}`)].join(
          '\n',
        ),
    ),
    `## ${steps.title}`,
    steps.steps.map(({ title, text }, i) => `${i + 1}. ${title}: ${text}`).join('\n'),
    `## ${faq.title}`,
    ...faq.items.map(({ question, answer }) => `### ${question}\n\n${answer}`),
    '## Book or write',
    [
      `- [${dialogs.strategyCall.title}](${filledIn([schedulers.strategyCall])[0] ?? addressOf('/')}): ${dialogs.strategyCall.text}`,
      `- [${dialogs.inboxReview.title}](${filledIn([schedulers.inboxReview])[0] ?? addressOf('/')}): ${dialogs.inboxReview.text}`,
      ...filledIn([links.quiz]).map(
        (quiz) => `- [${words.assessment.title}](${quiz}): ${words.assessment.lead}`,
      ),
      ...(email ? [`- [${email}](mailto:${email})`] : []),
      ...filledIn([links.linkedin, links.instagram]).map((profile) => `- <${profile}>`),
    ].join('\n'),
  ];
  return `${lines.join('\n\n')}\n`;
}
