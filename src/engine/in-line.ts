/** Work that is done one at a time. */

/** Each piece of work after those that were handed in before it, however they ended. */
export function inLine(): <T>(work: () => T | Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const own = last.then(work)
    last = own.catch(() => undefined)
    return own
  }
}
