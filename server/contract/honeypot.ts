/** The name of a form field that people do not see: a value in it is a sign of a program. */
export const honeypot = 'hq7x';
