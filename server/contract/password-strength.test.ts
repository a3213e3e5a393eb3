import { describe, expect, it } from 'vitest';
import { weaknessOf } from './password-strength.ts';

describe('a password', () => {
  it.each([
    'Password1234!',
    'p4$$w0rd-2026',
    'qwerty123456',
    'ada-brook-2026',
    '111111111111',
    '867530986753',
    'Passw0rdPassw0rd',
  ])('the password %s is weak', (password) => {
    expect(weaknessOf(password, ['Ada', 'Brook'])).toEqual(expect.any(String));
  });

  it.each([
    'uf7g8-rdqcx-zs7v4-gpuau',
    'plum tractor seldom violet',
    'correct horse battery staple',
    '7Q!x2-mL0p9#',
  ])('the password %s is not weak', (password) => {
    expect(weaknessOf(password, ['Ada', 'Brook'])).toBeUndefined();
  });
});
