import { useState } from 'react';

/** The last defined value: data stays on screen while newer data loads, or when loading it fails. */
export function useLast<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
