import { Link } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { BookingDialog } from '../booking/dialog.tsx';
import { ContactDialog } from '../contact/dialog.tsx';
import { QuizPopup } from '../quiz/popup.tsx';
import { words } from '../ui/site-words.ts';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';

/** The layout of every public page: the skip link, header, content, footer and dialogs. */
export function PageLayout({ quiz = false, children }: { quiz?: boolean; children: ReactNode }) {
  return (
    <>
      <Link
        href="#main"
        position="fixed"
        top="2"
        insetStart="2"
        zIndex="3"
        px="4"
        py="3"
        bg="fg"
        color="bg"
        fontWeight="700"
        css={{ '&:not(:focus)': { translate: '0 -200%' }, _print: { display: 'none' } }}
      >
        {words.labels.skip}
      </Link>
      <Header />
      <main id="main">{children}</main>
      <Footer />
      <BookingDialog kind="strategy-call" />
      <BookingDialog kind="inbox-review" />
      <ContactDialog />
      {quiz && <QuizPopup />}
    </>
  );
}
