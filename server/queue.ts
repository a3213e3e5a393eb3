/** Runs jobs one after the other, also after one that failed. Each call resolves or rejects as its job does. */
export function createQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(job: () => Promise<Result>): Promise<Result> => {
    const result = last.then(job, job);
    last = result;
    return result;
  };
}
