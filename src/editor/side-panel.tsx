import type { ReactNode } from 'react';
import { Modal } from '../admin/modal.tsx';

/** A modal dialog at the right edge, open while mounted. It fills the screen of phones. */
export const SidePanel = ({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
}) => (
  <Modal title={title} onClose={onClose} css={atTheEdge}>
    {children}
  </Modal>
);

const atTheEdge = {
  w: 'min(100%, 464px)',
  maxW: 'full',
  h: '100dvh',
  '@media (min-width: 40.01em)': { maxW: 'full', maxH: '100dvh' },
  me: '0',
  borderWidth: '0',
};
