/** Lets others have their turn in a long piece of work. */
export function breather(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < 10) return
    await new Promise((resolve) => setImmediate(resolve))
    since = performance.now()
  }
}
