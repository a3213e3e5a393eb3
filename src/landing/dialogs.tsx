import { BookingDialog } from '../booking/dialog.tsx';
import { Island } from '../boot/island.tsx';
import { ContactDialog } from '../contact/dialog.tsx';
import { QuizPopup } from '../quiz/popup.tsx';

/** The dialogs that the header, the sections and the footer open, and the toaster. */
export function Dialogs({ quiz = false }: { quiz?: boolean }) {
  return (
    <>
      <BookingDialog kind="strategy-call" />
      <BookingDialog kind="inbox-review" />
      <ContactDialog />
      {quiz && <QuizPopup />}
      <Island name="toaster" />
    </>
  );
}
