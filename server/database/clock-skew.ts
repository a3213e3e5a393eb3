/** Largest clock skew allowed between instances that share a database, in ms. */
export const clockSkew = 60_000;
