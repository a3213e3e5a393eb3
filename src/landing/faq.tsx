import { Button, chakra } from '@chakra-ui/react';
import { site } from '../../site.config.ts';
import { PlusIcon } from '../ui/icons.tsx';
import { openProps } from '../ui/invoker.ts';
import { Columns, Section, Title } from '../ui/section.tsx';

const { title, items, action } = site.faq;

/** Five questions, one open at a time: a native accordion of `<details name>`. */
export function Faq() {
  return (
    <Section id="faq" tone="tint">
      <Columns split="narrow">
        <div>
          <Title mb="4">{title}</Title>
          <Button variant="plain" asChild>
            <button {...openProps('contact')} data-cta="faq">
              {action}
            </button>
          </Button>
        </div>
        <div>
          {items.map(({ id, question, answer }) => (
            <Item key={id} id={`faq-${id}`} name="faq">
              <summary>
                <h3>{question}</h3>
                <PlusIcon />
              </summary>
              <p>{answer}</p>
            </Item>
          ))}
        </div>
      </Columns>
    </Section>
  );
}

const Item = chakra(
  'details',
  {
    base: {
      borderTop: '2px solid {colors.fg}',
      _last: { borderBottom: '2px solid {colors.fg}' },
      '& summary': {
        display: 'flex',
        justifyContent: 'space-between',
        alignItems: 'center',
        gap: '6',
        minH: '16',
        py: '4',
        cursor: 'pointer',
        listStyle: 'none',
        textStyle: 'h3',
      },
      '& summary::-webkit-details-marker': { display: 'none' },
      '& summary:hover h3': { textDecoration: 'underline', textDecorationThickness: '3px' },
      '& svg': { flexShrink: '0', _motionSafe: { transition: 'rotate 160ms' } },
      '&[open] svg': { rotate: '45deg' },
      '& p': { pb: '6', maxW: '38em', color: 'fg.soft' },
    },
  },
  { forwardProps: ['name'] },
);
