import { ContactForm } from '../contact/form.tsx';
import { island } from '../island.tsx';

export const { name, Component, mount } = island('contact', ContactForm);
