/** How far down a page was is kept with its entry in the browser's history: who comes back finds it there, once the page is long enough again. */

/** A page that has not grown so long after this, ms, has become shorter. */
const patience = 5000

/** Before the page is left. */
export function keepScroll(): void {
  history.replaceState({ scroll: scrollY }, '')
}

export function restoreScroll(): void {
  const state: unknown = history.state
  if (typeof state !== 'object' || state === null || !('scroll' in state)) return
  const wanted = Number(state.scroll)
  const begun = performance.now()
  // whoever goes elsewhere meanwhile is not moved
  const moved = new AbortController()
  for (const type of ['wheel', 'touchmove', 'keydown', 'pointerdown', 'popstate'])
    addEventListener(type, () => moved.abort(), { signal: moved.signal, passive: true })
  function look(): void {
    if (moved.signal.aborted) return
    const isLong = document.documentElement.scrollHeight - innerHeight >= wanted
    if (isLong) scrollTo(0, wanted)
    if (isLong || performance.now() - begun > patience) moved.abort()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
