import { chakra } from '@chakra-ui/react';
import { Global } from '@emotion/react';
import { Button } from '../ui/button.tsx';
import { Tooltip } from '../ui/tooltip.tsx';

/** Fetches now. Its arrow turns for as long as anything is fetched. */
export function RefreshButton({
  what = 'figures',
  isFetching,
  onClick,
}: {
  /** What is fetched. */
  what?: string;
  isFetching: boolean;
  onClick: () => void;
}) {
  return (
    <Tooltip text={`The ${what} also refresh by themselves, every 30 seconds`}>
      <Button type="button" aria-busy={isFetching} onClick={onClick}>
        {/* Here and not in the theme, whose keyframes would travel with the public page too. */}
        <Global styles="@keyframes turn { to { rotate: 1turn } }" />
        <Arrow
          viewBox="0 0 24 24"
          fill="none"
          stroke="currentColor"
          strokeWidth="2.5"
          aria-hidden="true"
          data-spinning={isFetching || undefined}
        >
          <path d="M20 12a8 8 0 1 1-2.6-5.9L20 8.5M20.5 2.5v6h-6" />
        </Arrow>
        Refresh
      </Button>
    </Tooltip>
  );
}

const Arrow = chakra('svg', {
  base: {
    boxSize: '5',
    '&[data-spinning]': { opacity: 0.7, animation: 'turn 700ms linear infinite' },
  },
});
