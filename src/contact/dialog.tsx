import { site } from '../../site.config.ts';
import { Island } from '../boot/island.tsx';
import { Dialog } from '../ui/dialog.tsx';

/** The dialog of the contact form. The form's first field takes the focus. */
export function ContactDialog() {
  return (
    <Dialog id="contact" title={site.dialogs.contact.title} focusTitle={false}>
      <Island name="contact" />
    </Dialog>
  );
}
