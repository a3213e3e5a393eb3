/** Groups of `site.config.ts` that a file of an older release lacks, with their defaults. */
import { site } from './site.config.ts';

/** The owner's currency. */
export const currency: string = site.currency ?? 'USD';
