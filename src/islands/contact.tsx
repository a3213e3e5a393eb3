import { ContactForm } from '../contact/form.tsx';
import { island } from '../island.tsx';
// The toaster's code comes along: the thank-you must not need the network once more.
import './toaster.tsx';

export const { name, Component, mount } = island('contact', ContactForm);
