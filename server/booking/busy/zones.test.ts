import { expect, it } from 'vitest';
import { isTimeZone } from '../../time/zone.ts';
import { windowsZones } from './windows-zones.ts';
import { ianaZoneOf } from './zones.ts';

it.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['Eastern Standard Time', 'America/New_York'],
  ['eastern standard time', 'America/New_York'],
  ['UTC', 'Etc/UTC'],
  ['/mozilla.org/20050126_1/Europe/Berlin', 'Europe/Berlin'],
  [
    '/freeassociation.sourceforge.net/America/Argentina/Buenos_Aires',
    'America/Argentina/Buenos_Aires',
  ],
  ['Mars/Cuba', undefined],
  ['', undefined],
])('time zone "%s" is read as %s', (tzid, zone) => {
  expect(ianaZoneOf(tzid)).toBe(zone);
});

it('each time zone of Windows has a zone that the engine supports', () => {
  expect(windowsZones.size).toBe(139);
  expect([...windowsZones.values()].filter((zone) => !isTimeZone(zone))).toEqual([]);
});
