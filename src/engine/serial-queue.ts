/** Work that is done one at a time. */

/** Each piece of work after those that were handed in before it, however they ended. */
export function serialQueue(): <T>(work: () => T | Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const own = last.then(work)
    // whoever handed it in is told; the next one begins all the same
    last = own.catch(() => undefined)
    return own
  }
}
