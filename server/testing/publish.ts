/** For tests: what a publish of valid texts takes beside its revision. */
export const validPublish = {
  mistakesIn: () => [],
  prepare: async () => {},
  isConfirmed: false,
};
