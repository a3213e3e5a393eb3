/** Names of what the dashboard can be filtered by. */
import type { ButtonName } from '../../server/contract/api.ts';
import type { Filter } from './report.ts';

/** Where each call-to-action is on the page. */
const names: Record<ButtonName, string> = {
  header: 'Header',
  menu: 'Menu',
  hero: 'Top of the page',
  pains: 'Pains',
  freedom: 'Freedom',
  costs: 'Costs',
  'service-management': 'Service: management',
  'service-consulting': 'Service: consulting',
  'service-infrastructure': 'Service: infrastructure',
  about: 'About',
  steps: 'How it works',
  faq: 'FAQ',
  'inbox-review': 'Inbox review',
  assessment: 'Assessment',
  audit: 'Audit checkout',
  quiz: 'Quiz popup',
  contact: 'Contact form',
  footer: 'Footer',
};

/** The name of a call-to-action on the screen. Another checkout may report any text, which stays as it is. */
export const buttonName = (button: string): string =>
  Object.hasOwn(names, button) ? names[button as ButtonName] : button;

/** The name of a source, or of a campaign with its source, on the screen. No source is called `direct`. */
export const sourceName = (source: string): string =>
  source === 'direct' ? 'Direct' : namesIn(source).join(' / ');

/** The medium and name of a campaign on the screen: `email / spring-sale` of `newsletter/email/spring-sale`. */
export const campaignName = (source: string): string => namesIn(source).slice(1).join(' / ');

const namesIn = (source: string) => source.split('/').filter(Boolean);

/** What a filter selects, in words: `Source: newsletter`. Empty without one. */
export const filterTexts = ({ source, button }: Filter = {}): string[] => [
  ...(source === undefined ? [] : [`Source: ${sourceName(source)}`]),
  ...(button === undefined ? [] : [`Button: ${buttonName(button)}`]),
];
