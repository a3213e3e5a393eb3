import { island } from '../boot/island.tsx';
import { ContactForm } from '../contact/form.tsx';
// Bundled with the toaster, so that the thank-you needs no further request.
import './toaster.tsx';

export const { name, Component, mount } = island('contact', ContactForm);
