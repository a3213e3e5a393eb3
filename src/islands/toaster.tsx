import { island } from '../island.tsx';
import { Toaster } from '../ui/toaster.tsx';

export const { name, Component, mount } = island('toaster', Toaster);
