/** The icons of the editor, hidden from screen readers: 24 x 24 units. */
import type { ReactNode } from 'react';

const icon = (drawing: ReactNode, size = 20) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="2.2"
    aria-hidden="true"
  >
    {drawing}
  </svg>
);

export const undoIcon = icon(<path d="M9 5L4 10l5 5M4 10h10a5 5 0 0 1 0 10h-3" />);
export const redoIcon = icon(<path d="M15 5l5 5-5 5M20 10H10a5 5 0 0 0 0 10h3" />);
export const clockIcon = icon(<path d="M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0ZM12 7v5l3.5 2" />);
export const upIcon = icon(<path d="M4 16l8-8 8 8" />, 18);
export const downIcon = icon(<path d="M4 8l8 8 8-8" />, 18);
export const trashIcon = icon(<path d="M4 6h16M9 6V3h6v3M6 6l1 15h10l1-15M10 10v7M14 10v7" />, 18);
export const desktopIcon = icon(<path d="M3 4h18v12H3zM8 20h8M12 16v4" />, 18);
export const phoneIcon = icon(<path d="M7 2h10v20H7zM11 18h2" />, 18);
export const sunIcon = icon(
  <path d="M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0ZM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2" />,
  18,
);
export const moonIcon = icon(<path d="M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5Z" />, 18);
export const listIcon = icon(<path d="M9 6h12M9 12h12M9 18h12M3 6h2M3 12h2M3 18h2" />, 18);
export const penIcon = icon(<path d="M4 20l1-5L16 4l4 4L9 19ZM13 7l4 4" />, 18);
export const eyeIcon = icon(
  <path d="M2 12s4-7 10-7 10 7 10 7-4 7-10 7-10-7-10-7ZM15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0Z" />,
  18,
);
