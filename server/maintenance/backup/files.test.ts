import { expect, it } from 'vitest';
import { requireFreeBytes } from './files.ts';

const megabyte = 1024 * 1024;

it('a disk with too little room is said so, with figures, before anything is written', () => {
  requireFreeBytes('/data', 10 * megabyte, 74 * megabyte);
  expect(() => requireFreeBytes('/data', 10 * megabyte, 74 * megabyte - 1)).toThrow(
    'The disk has too little room: 74.0 MB are needed in /data, 74.0 MB are free. Please free some space.',
  );
});
