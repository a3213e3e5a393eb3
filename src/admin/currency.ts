import { createContext, useContext } from 'react';
import { wholeMoney } from './format.ts';

/** The owner's currency, ISO 4217 in upper case. */
export const Currency = createContext('USD');

/** Returns the function that writes amounts in whole units of the owner's currency. */
export function useMoney(): (amount: number) => string {
  const currency = useContext(Currency);
  return (amount) => wholeMoney(amount, currency);
}
