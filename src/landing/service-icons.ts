import { site } from '../../site.config.ts';
import type { Line } from '../theme/line.ts';

/** The three services: the id of their section, their line on the map and their copy. */
export const services = [
  { id: 'management', line: 'blue', ...site.services.management },
  { id: 'consulting', line: 'red', ...site.services.consulting },
  { id: 'infrastructure', line: 'green', ...site.services.infrastructure },
] as const satisfies readonly { id: string; line: Line }[];
