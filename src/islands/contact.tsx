import { island } from '../boot/island.tsx';
import { ContactForm } from '../contact/form.tsx';

export const { name, Component, mount } = island('contact', ContactForm);
