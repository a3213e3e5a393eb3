/** The contact form as a visitor fills it in, and what it answers. */
import type { Locator, Page, Request } from '@playwright/test';
import { site as words } from '../site.config.ts';
import { expect } from './site.ts';

export const thanks = "Thanks for reaching out! I'll get back to you soon.";
export const regret = `Sorry, there was an error sending your message. Please try again or email me directly at ${words.brand.email}`;

export interface Typed {
  name: string;
  email: string;
  company: string;
  message: string;
}

/** A message nobody else sends. */
export const messageOf = (name: string): Typed => ({
  name,
  email: 'visitor@studio.example',
  company: 'Studio Nine',
  message: `What ${name} wanted to say:\n“more”, & <less>.`,
});

export async function fillIn(form: Locator, { name, email, company, message }: Typed) {
  await form.getByLabel('Name').fill(name);
  await form.getByLabel('Email').fill(email);
  await form.getByLabel('Company').fill(company);
  await form.getByLabel('Message').fill(message);
}

export async function expectTyped(form: Locator, { name, email, company, message }: Typed) {
  await expect(form.getByLabel('Name')).toHaveValue(name);
  await expect(form.getByLabel('Email')).toHaveValue(email);
  await expect(form.getByLabel('Company')).toHaveValue(company);
  await expect(form.getByLabel('Message')).toHaveValue(message);
}

export const nothing: Typed = { name: '', email: '', company: '', message: '' };

export const send = (form: Locator) => form.getByRole('button', { name: /^Send/ });

/** Every contact message the page sends from now on. */
export function messagesSent(page: Page): Request[] {
  const requests: Request[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/contact') requests.push(request);
  });
  return requests;
}

/** Holds matching requests of the page until it is called. */
export async function hold(page: Page, address: RegExp): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}
