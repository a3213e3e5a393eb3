/** Groups and fields of `site.config.ts` that a file of an older release lacks, with their defaults. */
import type { ChangedWords } from './server/contract/words/words.ts';
import { site } from './site.config.ts';
import { isPlaceholder } from './site.placeholder.ts';

/** What search engines, shared links and browser tabs show. */
type Seo = Omit<typeof site.seo, 'icon'> & { icon?: string | undefined };

/** The content of a config. An empty list says nothing about its type. */
export type SiteConfig = Omit<typeof site, 'paymentLinks' | 'seo'> &
  ChangedWords & { paymentLinks: readonly string[]; seo: Seo };

/** Makes a value. Marked as pure, the call is left out of a bundle that does not use it. */
const made = <Value>(make: () => Value): Value => make();

const currencyDefault = 'USD';

/** The currency of a config. */
export const currencyOf = (config: SiteConfig): string => config.currency ?? currencyDefault;

/** The owner's currency. Reads one group of the config: passed as a whole, all its texts would enter the bundle. */
export const currency: string = /* @__PURE__ */ made(() => site.currency ?? currencyDefault);

/** A client's words. */
export interface Quote {
  quote: string;
  name: string;
  role: string;
  photo: string;
}

/** What clients say. An empty list says nothing about its type. */
export const quotes: Quote[] = /* @__PURE__ */ made(() => site.testimonials.quotes);

/** The address of the picture that the icons are drawn from; '' for the site's own drawing. */
export const iconOf = ({ seo }: Pick<SiteConfig, 'seo'>): string => seo.icon ?? '';

const optInDefaults = {
  attributes: {} as Record<string, string>,
  hosts: [] as string[],
  place: {} as Record<string, string>,
};

export type OptIn = typeof optInDefaults;

/** The opt-in script of a config with what it needs; its address is undefined without one. */
export const optInOf = ({
  optIn,
  optInScript,
}: Pick<SiteConfig, 'optIn' | 'optInScript'>): OptIn & { script: string | undefined } => ({
  ...optInDefaults,
  ...(optIn as Partial<OptIn> | undefined),
  script: optInScript.startsWith('/') || !isPlaceholder(optInScript) ? optInScript : undefined,
});

/** The owner's opt-in script. */
export const optIn = /* @__PURE__ */ made(() =>
  optInOf({ optIn: site.optIn, optInScript: site.optInScript }),
);

const legalDefaults = {
  name: '',
  address: [] as string[],
  phone: '',
  register: '',
  vatId: '',
  responsible: '',
  providers: [] as string[],
};

export type Legal = typeof legalDefaults;

/** Who is responsible for the site. */
export const legal: Legal = /* @__PURE__ */ made(() => ({
  ...legalDefaults,
  name: site.brand.name,
  ...(site.legal as Partial<Legal> | undefined),
}));

/** What a config of an older release lacks, for a brand of this name. */
export const defaultsFor = (name: string) => ({
  currency: currencyDefault,
  optIn: optInDefaults,
  legal: { ...legalDefaults, name },
});
