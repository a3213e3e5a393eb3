import { chakra } from '@chakra-ui/react';
import { createContext, useContext } from 'react';

/** Whether the figures below are invented. */
export const IsSample = createContext(false);

/** Marks a title whose figures are invented; nothing beside real ones. */
export const SampleTag = () => (useContext(IsSample) ? <Tag>Sample</Tag> : null);

const Tag = chakra('span', {
  base: {
    px: '2',
    border: '1px dashed {colors.field}',
    borderRadius: 'button',
    color: 'fg.muted',
    fontFamily: 'text',
    fontSize: '0.8125rem',
    fontWeight: '500',
    letterSpacing: 'normal',
    lineHeight: '1.6',
    whiteSpace: 'nowrap',
  },
});
