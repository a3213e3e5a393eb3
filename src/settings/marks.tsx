/** The marks of Settings, always beside words. */
import { chakra, VisuallyHidden } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { Mark } from './states.ts';

const colours: Record<Mark, string> = {
  works: 'line.green',
  todo: 'fg',
  broken: 'line.red',
  neutral: 'field',
};

const drawings: Record<Mark, ReactNode> = {
  works: (
    <>
      <circle cx="11" cy="11" r="11" fill="currentColor" />
      <path d="M6 11.5l3.5 3.5L16 8" fill="none" strokeWidth="2.5" />
    </>
  ),
  todo: <circle cx="11" cy="11" r="9" strokeWidth="4" data-ring="" />,
  broken: (
    <>
      <path d="M11 1L22 21H0Z" fill="currentColor" stroke="none" />
      <path d="M11 8v6M11 16v2.5" fill="none" strokeWidth="2.5" />
    </>
  ),
  neutral: <circle cx="11" cy="11" r="4" strokeWidth="2" data-ring="" />,
};

const names: Record<Mark, string> = {
  works: 'Works: ',
  todo: 'To do: ',
  broken: 'Broken: ',
  neutral: '',
};

/** 22 px wide. `neutral` is a small ring. */
export const MarkIcon = ({ mark }: { mark: Mark }) => (
  <Drawing viewBox="0 0 22 22" aria-hidden color={colours[mark]} data-mark={mark}>
    {drawings[mark]}
  </Drawing>
);

/** What a mark says, for screen readers. */
export const MarkName = ({ mark }: { mark: Mark }) => (
  <VisuallyHidden>{names[mark]}</VisuallyHidden>
);

const Drawing = chakra('svg', {
  base: {
    flexShrink: '0',
    boxSize: '22px',
    stroke: '{colors.bg}',
    '& [data-ring]': { fill: '{colors.bg}', stroke: 'currentColor' },
    '@media (forced-colors: active)': { stroke: 'Canvas', '& [data-ring]': { fill: 'Canvas' } },
  },
});
