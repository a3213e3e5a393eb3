import { BookingDialog } from '../booking/dialog.tsx';
import { Island } from '../boot/island.tsx';
import { ContactDialog } from '../contact/dialog.tsx';
import { QuizPopup } from '../quiz/popup.tsx';

/** The windows that buttons of the header, the sections and the footer open, and their thanks. */
export function Dialogs({ quiz = false }: { quiz?: boolean }) {
  return (
    <>
      <BookingDialog books="strategy-call" />
      <BookingDialog books="inbox-review" />
      <ContactDialog />
      {quiz && <QuizPopup />}
      <Island name="toaster" />
    </>
  );
}
