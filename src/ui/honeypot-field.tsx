import { chakra } from '@chakra-ui/react';
import { honeypot } from '../../server/contract/honeypot.ts';

/** A field off screen, which only bots fill in: the server takes a value in it as a sign of spam. */
export const Honeypot = () => (
  <OffScreen name={honeypot} tabIndex={-1} aria-hidden autoComplete="off" />
);

const OffScreen = chakra('input', { base: { position: 'absolute', insetInlineStart: '-99in' } });
