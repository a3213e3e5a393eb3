import { expect, test } from 'vitest';
import { rendered } from '../../testing/rendered.tsx';
import { Label } from './label.tsx';

const box = { width: 120, height: 50, largest: 20, smallest: 12, lineHeight: 1.1 };
const label = (text: string, within: [number, number] = [0, 440]) => {
  document.body.innerHTML = rendered(
    <svg role="presentation">
      <Label text={text} x={60} y={200} box={box} within={within} />
    </svg>,
  );
  return document.querySelector('text');
};

test('a short label is one line centred on its station', () => {
  const text = label('Spam', [30, 410]);
  expect(text?.getAttribute('x')).toBe('60');
  expect(text?.innerHTML).toBe('Spam');
});

test('a label that is too long for one line has two', () => {
  const lines = label('Your personal call')?.querySelectorAll('tspan') ?? [];
  expect([...lines].map((line) => line.textContent)).toEqual(['Your', 'personal call']);
});

test('a label at the edge of the picture is shifted inwards', () => {
  const text = label('Promotions', [30, 410]);
  expect(Number(text?.getAttribute('x'))).toBeGreaterThan(80);
});
