/** Helpers for the contact form. */
import type { Locator, Page, Request } from '@playwright/test';
import { type FieldName, fieldNames, fieldsWith } from '../server/contract/contact-fields.ts';
import { config } from './config.ts';
import { expect } from './site.ts';

export const successText = "Thanks for reaching out! I'll get back to you soon.";
export const failureText = `Sorry, there was an error sending your message. Please try again or email me directly at ${config.brand.email}`;

export type FormValues = Record<FieldName, string>;

/** A message whose text no other test sends. */
export const messageOf = (name: string): FormValues => ({
  name,
  email: 'visitor@studio.example',
  company: 'Studio Nine',
  message: `What ${name} wanted to say:\n“more”, & <less>.`,
});

const fieldIn = (form: Locator, name: FieldName) => form.getByLabel(config.contactPages[name]);

/** Fills in every field of the form. */
export async function fillIn(form: Locator, values: FormValues) {
  for (const name of fieldNames) await fieldIn(form, name).fill(values[name]);
}

/** Expects these values in the fields of the form. */
export async function expectValues(form: Locator, values: FormValues) {
  for (const name of fieldNames) await expect(fieldIn(form, name)).toHaveValue(values[name]);
}

export const emptyForm: FormValues = fieldsWith('', '');

/** The submit button of the form, in any state. */
export const send = (form: Locator) => form.getByRole('button', { name: /^Send/ });

/** Records the contact requests of the page from now on. */
export function recordMessages(page: Page): Request[] {
  const requests: Request[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/contact') requests.push(request);
  });
  return requests;
}

/** Delays matching requests of the page until the returned function is called. */
export async function delayRequests(page: Page, url: RegExp): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}
