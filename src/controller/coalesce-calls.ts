/** Work that is asked for often and done one at a time: whoever asks while it goes on is served by one more round. */

export function coalesceCalls(work: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | undefined
  let next: Promise<void> | undefined

  function begin(): Promise<void> {
    const round = work().finally(() => {
      if (current === round) current = undefined
    })
    current = round
    return round
  }

  return () => {
    // between two rounds none goes on, and yet one is to come
    if (current === undefined) return next ?? begin()
    next ??= current
      .catch(() => undefined)
      .then(() => {
        next = undefined
        return begin()
      })
    return next
  }
}
