/** Groups and fields of `site.config.ts` that a file of an older release lacks, with their defaults. */
import { site } from './site.config.ts';

/** The owner's currency. */
export const currency: string = site.currency ?? 'USD';

const legalDefaults = {
  imprint: 'Imprint',
  privacy: 'Privacy',
  name: site.brand.name,
  address: [] as string[],
  phone: '',
  register: '',
  vatId: '',
  responsible: '',
  providers: [] as string[],
};

export type Legal = typeof legalDefaults;

/** Who is responsible for the site. */
export const legal: Legal = { ...legalDefaults, ...(site.legal as Partial<Legal> | undefined) };
