import { expect, it } from 'vitest';
import { requireFreeBytes } from './files.ts';

const megabyte = 1024 * 1024;

it('requireFreeBytes reports needed and free space when the disk has too little', () => {
  requireFreeBytes('/data', 10 * megabyte, 74 * megabyte);
  expect(() => requireFreeBytes('/data', 10 * megabyte, 74 * megabyte - 1)).toThrow(
    'The disk has too little room: 74.0 MB are needed in /data, 74.0 MB are free. Please free some space.',
  );
});
