/** The parts of Settings, in the order of their list. */
import type { ComponentType } from 'react';
import { BackupPanel } from './backup-panel.tsx';
import { BookingServicesPanel } from './booking-services-panel.tsx';
import { CalendarsPanel } from './calendars-panel.tsx';
import { DomainPanel } from './domain-panel.tsx';
import { EmailPanel } from './email-panel.tsx';
import { HoursPanel } from './hours-panel.tsx';
import { ImportSales } from './import-sales.tsx';
import { LaunchPanel } from './launch-panel.tsx';
import { LogPanel } from './log-panel.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { PaymentsPanel } from './payments-panel.tsx';
import { PeoplePanel } from './people-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';
import { type StateOf, states } from './states.ts';
import { WebhooksPanel } from './webhook-panel.tsx';

export interface Noun {
  /** The end of its address: `/analytics/settings/email`. */
  path: string;
  name: string;
  group: (typeof groups)[number];
  stateOf: StateOf;
  /** What it shows beneath its name. */
  Panel: ComponentType;
}

export const groups = ['Your work', 'Safety', 'Connections'] as const;

const noun = (
  path: keyof typeof states,
  name: string,
  group: Noun['group'],
  Panel: ComponentType,
): Noun => ({ path, name, group, stateOf: states[path], Panel });

export const nouns: readonly Noun[] = [
  noun('hours', 'Hours and calls', 'Your work', HoursPanel),
  noun('calendars', 'Other calendars', 'Your work', CalendarsPanel),
  noun('email', 'Email', 'Your work', EmailPanel),
  noun('payments', 'Payments', 'Your work', PaymentsPanel),
  noun('booking-services', 'Booking services', 'Your work', BookingServicesPanel),
  noun('password', 'Password', 'Safety', PasswordPanel),
  noun('devices', 'Devices', 'Safety', SessionsPanel),
  noun('backups', 'Backups', 'Safety', BackupPanel),
  noun('people', 'People’s data', 'Safety', PeoplePanel),
  noun('log', 'Owner’s log', 'Safety', LogPanel),
  noun('domain', 'Domain', 'Connections', DomainPanel),
  noun('webhooks', 'Webhooks and API keys', 'Connections', WebhooksPanel),
  noun('import', 'Import sales', 'Connections', ImportSales),
  noun('launch', 'Before you go live', 'Connections', LaunchPanel),
];

export const settingsPath = (path: string): string => `/analytics/settings/${path}`;
