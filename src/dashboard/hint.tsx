import { chakra } from '@chakra-ui/react';
import { Tooltip } from '../ui/tooltip.tsx';

/** How a figure comes about, for those who wonder. Not on touch screens, where it could not open. */
export function Hint({ about, text }: { about: string; text: string }) {
  return (
    <Tooltip text={text} closeOnClick={false}>
      <Mark type="button" aria-label={`About ${about}`}>
        ?
      </Mark>
    </Tooltip>
  );
}

const Mark = chakra('button', {
  base: {
    display: 'grid',
    placeItems: 'center',
    boxSize: '6',
    // A ring of 18 px in a target of 24.
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
