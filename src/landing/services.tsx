import { site } from '../../site.config.ts';
import { BookingButton } from '../booking/button.tsx';
import { Lead, Section, Title } from '../ui/section.tsx';
import { services } from './service-icons.ts';
import { Service } from './service-line.tsx';

const { title, lead } = site.services;

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
            <BookingButton control={`service-${id}`}>{action}</BookingButton>
          </div>
        </Service>
      ))}
    </Section>
  );
}
