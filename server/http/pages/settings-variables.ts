/** Template variables that depend on the server's settings, for `/privacy` and the landing page. */
import type { SettingsVariables } from '../../contract/pages.ts';
import type { Env } from '../../env.ts';
import { nightsKept } from '../../maintenance/backup/catalog.ts';
import { signInDays, spamDays } from '../../maintenance/retention.ts';

/** The settings that the pages depend on. */
type Settings = Pick<
  Env,
  | 'DATABASE_URL'
  | 'SMTP_URL'
  | 'STRIPE_WEBHOOK_SECRET'
  | 'STRIPE_API_KEY'
  | 'CALENDLY_WEBHOOK_SECRET'
  | 'CAL_WEBHOOK_SECRET'
  | 'WEBHOOK_URL'
  | 'CONVERSION_KEY'
  | 'KEEP_ACTIVITY_DAYS'
  | 'KEEP_MESSAGES_DAYS'
  | 'KEEP_BOOKINGS_DAYS'
  | 'KEEP_BUYERS_DAYS'
>;

/**
 * The template variables of the settings, in a language by its BCP 47 tag.
 *
 * @public The development server loads it by path.
 */
export function settingsVariables(env: Settings, language: string): SettingsVariables {
  const period = (days: number | undefined) =>
    days === undefined ? undefined : periodIn(language, days);
  const isSet = (...settings: unknown[]) => settings.some((setting) => setting !== undefined);
  return {
    keepActivity: period(env.KEEP_ACTIVITY_DAYS),
    keepMessages: period(env.KEEP_MESSAGES_DAYS),
    keepBookings: period(env.KEEP_BOOKINGS_DAYS),
    keepBuyers: period(env.KEEP_BUYERS_DAYS),
    keepSpam: period(spamDays),
    keepSignIns: period(signInDays),
    // A PostgreSQL server has its own backups.
    keepBackups: env.DATABASE_URL === undefined ? period(nightsKept) : undefined,
    sendsEmail: isSet(env.SMTP_URL),
    storesSales: isSet(env.STRIPE_WEBHOOK_SECRET, env.STRIPE_API_KEY, env.CONVERSION_KEY),
    sharesLimits: isSet(env.DATABASE_URL),
    sendsEvents: isSet(env.WEBHOOK_URL),
    // The visit is passed on only to calendars whose webhooks count the calls.
    calendlyWebhook: isSet(env.CALENDLY_WEBHOOK_SECRET) ? 'calendly' : undefined,
    calWebhook: isSet(env.CAL_WEBHOOK_SECRET) ? 'cal' : undefined,
  };
}

function periodIn(language: string, days: number): string {
  const isYears = days % 365 === 0;
  const style = { style: 'unit', unitDisplay: 'long', unit: isYears ? 'year' : 'day' } as const;
  return new Intl.NumberFormat(language, style).format(isYears ? days / 365 : days);
}
