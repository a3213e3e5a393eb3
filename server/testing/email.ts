/** For tests: emails as they are sent. */
import type { Email } from '../email/email.ts';
import { toHtml } from '../email/html.ts';
import { toText } from '../email/text.ts';
import { site } from './sample-config.ts';

/** The brand of the emails. */
export const brand = { name: site.brand.name, lines: site.colours.lines };

/** Adds both parts of the body to an email; undefined stays undefined. */
export const rendered = <E extends Email>(email: E | undefined) =>
  email && { ...email, text: toText(email.blocks), html: toHtml(email, brand) };
