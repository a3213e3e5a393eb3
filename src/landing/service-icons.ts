import { site } from '../../site.config.ts';
import type { Line } from '../theme/line.ts';

/** The three services by the id of their section, each with the line of the map it is. */
export const services = [
  { id: 'management', line: 'blue', ...site.services.management },
  { id: 'consulting', line: 'red', ...site.services.consulting },
  { id: 'infrastructure', line: 'green', ...site.services.infrastructure },
] as const satisfies readonly { id: string; line: Line }[];
