/** The type scale, by purpose; sizes are fluid from phones to desktops. */
import { defineTextStyles } from '@chakra-ui/react';

export const textStyles = defineTextStyles({
  h1: {
    value: {
      fontFamily: 'display',
      // Limited by the window's width, so that a large font size fits a phone.
      fontSize: 'min(clamp(2.75rem, 1rem + 6vw, 5.5rem), 15vw)',
      lineHeight: '0.96',
      letterSpacing: '-0.028em',
      fontWeight: '800',
      textWrap: 'balance',
    },
  },
  h2: {
    value: {
      fontFamily: 'display',
      fontSize: 'clamp(2rem, 1.25rem + 3vw, 3.5rem)',
      lineHeight: '1.02',
      letterSpacing: '-0.02em',
      fontWeight: '700',
      textWrap: 'balance',
    },
  },
  h3: {
    value: {
      fontFamily: 'display',
      fontSize: 'clamp(1.4rem, 1.3rem + 0.4vw, 1.7rem)',
      lineHeight: '1.12',
      letterSpacing: '-0.01em',
      fontWeight: '700',
      textWrap: 'balance',
    },
  },
  service: {
    value: {
      fontFamily: 'display',
      fontSize: 'clamp(1.9rem, 1.4rem + 2vw, 2.9rem)',
      lineHeight: '1.02',
      letterSpacing: '-0.02em',
      fontWeight: '700',
      textWrap: 'balance',
    },
  },
  stop: { value: { fontSize: '1.125rem', lineHeight: '1.45' } },
  h4: {
    value: { fontFamily: 'display', fontSize: '1.25rem', lineHeight: '1.2', fontWeight: '700' },
  },
  quote: {
    value: {
      fontFamily: 'display',
      fontSize: 'clamp(1.6rem, 1.1rem + 2.2vw, 2.7rem)',
      lineHeight: '1.12',
      letterSpacing: '-0.015em',
      fontWeight: '600',
      textWrap: 'balance',
    },
  },
  lead: { value: { fontSize: 'clamp(1.125rem, 1.02rem + 0.5vw, 1.3rem)', lineHeight: '1.5' } },
  body: { value: { fontSize: '1.0625rem', lineHeight: '1.6' } },
  small: { value: { fontSize: '0.9375rem', lineHeight: '1.5' } },
});
