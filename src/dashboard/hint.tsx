import { chakra } from '@chakra-ui/react';
import { Tooltip } from '../ui/tooltip.tsx';

/** A tooltip that explains a figure. Hidden on touch screens, which cannot hover. */
export function Hint({ about, text }: { about: string; text: string }) {
  return (
    <Tooltip text={text} closeOnClick={false}>
      <HintButton type="button" aria-label={`About ${about}`}>
        ?
      </HintButton>
    </Tooltip>
  );
}

const HintButton = chakra('button', {
  base: {
    position: 'relative',
    display: 'grid',
    _print: { display: 'none' },
    placeItems: 'center',
    boxSize: '6',
    // An 18 px ring in a 24 px target.
    border: '3px solid transparent',
    borderRadius: '50%',
    boxShadow: 'inset 0 0 0 1.5px {colors.field}',
    backgroundClip: 'padding-box',
    color: 'fg.muted',
    fontSize: '0.75rem',
    fontWeight: '700',
    lineHeight: '1',
    cursor: 'help',
    _hover: { bg: 'bg.tint', color: 'fg' },
    '@media (hover: none)': { display: 'none' },
    '@media (forced-colors: active)': { borderWidth: '1px' },
  },
});
