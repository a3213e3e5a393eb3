import { island } from '../boot/island.tsx';
import { ContactForm } from '../contact/form.tsx';
// The toaster's code comes along: the thank-you must not need the network once more.
import './toaster.tsx';

export const { name, Component, mount } = island('contact', ContactForm);
