import type { SystemStyleObject } from '@chakra-ui/react';

/** The tooltip's bubble, in inverted text colours. */
export const tooltipStyles: SystemStyleObject = {
  maxWidth: 'min(17rem, 100vw - 2rem)',
  px: '3',
  py: '2',
  bg: 'fg',
  color: 'bg',
  fontFamily: 'text',
  fontSize: '0.875rem',
  fontWeight: '500',
  lineHeight: '1.4',
  letterSpacing: 'normal',
  textAlign: 'start',
  borderRadius: 'button',
  zIndex: '9',
};
