/** Decorative icons, hidden from screen readers: 24 x 24 units, strokes of 2.5. */
import type { ReactNode } from 'react';

function Icon({ size = 24, children }: { size?: number; children: ReactNode }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.5"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export const CloseIcon = ({ size }: { size?: number }) => (
  <Icon {...(size && { size })}>
    <path d="M5 5l14 14M19 5L5 19" />
  </Icon>
);

export const PlusIcon = ({ size = 28 }: { size?: number }) => (
  <Icon size={size}>
    <path d="M12 3v18M3 12h18" />
  </Icon>
);

export const DownIcon = () => (
  <Icon size={14}>
    <path d="M3 8l9 9 9-9" strokeWidth="4" />
  </Icon>
);

/** The icon of a field that cannot be changed here. */
export const LockIcon = () => (
  <Icon size={16}>
    <path d="M4 11h16v10H4zM8 11V7a4 4 0 0 1 8 0v4" />
  </Icon>
);

/** The icon of a link that opens in a new tab. */
export const OutIcon = () => (
  <Icon size={16}>
    <path d="M6 18L19 5M8 5h11v11" />
  </Icon>
);
