import { island } from '../boot/island.tsx';
import { Toaster } from '../ui/toast/toaster.tsx';

export const { name, Component, mount } = island('toaster', Toaster);
