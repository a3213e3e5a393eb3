/** What the owner sees of their account at Stripe. */
import { isPermissionError, openStripe, type StripeAccess } from './api.ts';

export interface PaymentLink {
  id: string;
  url: string;
  /** The first thing that it sells. */
  name: string | undefined;
}

interface Account {
  id: string;
  name: string | undefined;
}

/** The account of the key; undefined when the key may not read it. Rejects with other errors of Stripe. */
export async function readAccount(access: StripeAccess): Promise<Account | undefined> {
  const stripe = await openStripe(access);
  try {
    const { id, settings, business_profile, email } = await stripe.accounts.retrieveCurrent();
    const name = settings?.dashboard?.display_name || business_profile?.name || email || undefined;
    return { id, name };
  } catch (error) {
    if (isPermissionError(error)) return undefined;
    throw error;
  }
}

/** The newest hundred active Payment Links; undefined when the key may not read them. Rejects with other errors of Stripe. */
export async function activePaymentLinks(access: StripeAccess): Promise<PaymentLink[] | undefined> {
  const stripe = await openStripe(access);
  try {
    const { data } = await stripe.paymentLinks.list({
      ...{ active: true, limit: 100, expand: ['data.line_items'] },
    });
    return data.map(({ id, url, line_items }) => ({
      ...{ id, url, name: line_items?.data[0]?.description ?? undefined },
    }));
  } catch (error) {
    if (isPermissionError(error)) return undefined;
    throw error;
  }
}
