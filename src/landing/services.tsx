import { chakra } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { BookingButton } from '../booking/button.tsx';
import type { Line } from '../theme/page-css.ts';
import { drawn, stop } from '../theme/stop.ts';
import { Lead, Section, Title } from '../ui/section.tsx';

const { title, lead } = site.services;

/** The three services: the id of their section, their line on the map and their copy. */
export const services = [
  { id: 'management', line: 'blue', ...site.services.management },
  { id: 'consulting', line: 'red', ...site.services.consulting },
  { id: 'infrastructure', line: 'green', ...site.services.infrastructure },
] as const satisfies readonly { id: string; line: Line }[];

/** The three services, each drawn as a line of the map. */
export function Services() {
  return (
    <Section id="services">
      <Title mb="4">{title}</Title>
      <Lead>{lead}</Lead>
      {services.map(({ id, line, name, summary, points, action }) => (
        <Service key={id} id={id} data-line={line}>
          <div>
            <h3>{name}</h3>
            <p>{summary}</p>
          </div>
          <div>
            <ul>
              {points.map((point) => (
                <li key={point}>{point}</li>
              ))}
            </ul>
            <BookingButton button={`service-${id}`}>{action}</BookingButton>
          </div>
        </Service>
      ))}
    </Section>
  );
}

/**
 * A service drawn as a line of the map: from the window's left edge, down past four stops, to the
 * call-to-action. Expects two `<div>` children: the name, then the points and the button.
 */
const Service = chakra('article', {
  base: {
    display: 'grid',
    gridTemplateColumns: { lg: '5fr 6fr' },
    position: 'relative',
    isolation: 'isolate',
    mt: 'clamp(3.5rem, 6vw, 5rem)',
    '& > div': { ps: '10', pt: '6' },
    '& > div:first-of-type': { ps: { lg: '0' }, pe: '8' },
    '& > div + div': { ps: { lg: '12' }, pt: { lg: '12' } },
    '& h3': { textStyle: 'service', mb: '3' },
    '& p': { textStyle: 'lead', color: 'fg.soft' },
    // From the window's edge to the corner.
    _before: {
      ...drawn,
      top: '0',
      insetEnd: { base: 'calc(100% - 9px)', lg: 'calc(100% * 6 / 11 - 9px)' },
      w: '100vw',
      h: '14',
      borderTop: '6px solid var(--line)',
      borderInlineEnd: '6px solid var(--line)',
      borderStartEndRadius: '28px',
    },
    // From the corner down past the stops, then across to the button.
    _after: {
      ...drawn,
      zIndex: '-1',
      insetStart: { base: '3px', lg: 'calc(100% * 5 / 11 + 3px)' },
      top: '8',
      bottom: '6',
      w: { base: '37px', lg: '45px' },
      borderInlineStart: '6px solid var(--line)',
      borderBottom: '6px solid var(--line)',
      borderEndStartRadius: '20px',
    },
    '& li': { position: 'relative', pb: '5', textStyle: 'stop', maxW: '30em' },
    '& li::before': {
      ...stop({ size: 20 }),
      insetStart: { base: '-10', lg: '-12' },
      ms: '-4px',
      top: '0.15em',
    },
  },
});
