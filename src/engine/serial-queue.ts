/** A queue that does one piece of work at a time. */

/** Runs each piece of work after those that were handed in before it, whether they succeeded or failed. */
export function serialQueue(): <T>(work: () => T | Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const own = last.then(work)
    // whoever handed it in is told; the next one begins all the same
    last = own.catch(() => undefined)
    return own
  }
}
