/** By how much the clocks of instances that share a database may differ, in ms. */
export const clockSkew = 60_000;
