/**
 * The calls-to-action of the site, by the name that their clicks are counted under. The server
 * accepts only these names, so that a stranger cannot fill the database with others.
 */
export const buttonNames = [
  'header',
  'menu',
  'hero',
  'pains',
  'freedom',
  'costs',
  'service-management',
  'service-consulting',
  'service-infrastructure',
  'about',
  'steps',
  'faq',
  'inbox-review',
  'assessment',
  'audit',
  'quiz',
  'contact',
  'footer',
] as const;

export type ButtonName = (typeof buttonNames)[number];
