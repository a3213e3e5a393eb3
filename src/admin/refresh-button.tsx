import { Button, Icon } from '@chakra-ui/react';
import { Global } from '@emotion/react';
import { Tooltip } from '../ui/tooltip.tsx';

/** How often the admin screens fetch new data, in ms. */
export const refreshEveryMs = 30_000;

/** The Refresh button. Its arrow spins while a request is in flight. */
export function RefreshButton({
  what,
  isFetching,
  onClick,
}: {
  /** What is refreshed, in plural. */
  what: string;
  isFetching: boolean;
  onClick: () => void;
}) {
  return (
    <Tooltip text={`The ${what} refresh automatically every ${refreshEveryMs / 1000} seconds`}>
      <Button
        type="button"
        minH="11"
        ms={{ base: 'auto', sm: '0' }}
        aria-busy={isFetching}
        onClick={onClick}
      >
        {/* Defined here because the theme's keyframes are also sent with the public page. */}
        <Global styles="@keyframes spin { to { rotate: 1turn } }" />
        <Icon
          as="svg"
          viewBox="0 0 24 24"
          fill="none"
          stroke="currentColor"
          strokeWidth="2.5"
          boxSize="5"
          {...(isFetching && spinning)}
        >
          <path d="M20 12a8 8 0 1 1-2.6-5.9L20 8.5M20.5 2.5v6h-6" />
        </Icon>
        <span>Refresh</span>
      </Button>
    </Tooltip>
  );
}

const spinning = { opacity: 0.7, animation: 'spin 700ms linear infinite' };
