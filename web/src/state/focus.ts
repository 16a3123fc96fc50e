/** Whoever stands on something that leaves the page goes on where it was, and not at the top: the nearest place that is left takes the focus. */

export function keepFocus(): void {
  /** What has the focus, and everything around it, from the inside out. */
  let around: readonly Element[] = []
  document.addEventListener('focusin', ({ target }) => {
    around = target instanceof Element ? withParents(target) : []
  })
  document.addEventListener('focusout', ({ target, relatedTarget }) => {
    if (relatedTarget !== null) return
    // it is still there a moment later: somebody went elsewhere on purpose
    queueMicrotask(() => {
      if (target === around[0] && around[0]?.isConnected === true) around = []
    })
  })
  new MutationObserver(() => {
    if (around[0]?.isConnected !== false) return
    const left = around.find(({ isConnected }) => isConnected)
    around = []
    if (document.activeElement === document.body) focusOn(left)
  }).observe(document.body, { childList: true, subtree: true })
}

/** Also on what usually takes no focus: the next Tab goes on from there. Nothing is scrolled. */
export function focusOn(element: Element | null | undefined): void {
  if (!(element instanceof HTMLElement) || element === document.body) return
  element.focus({ preventScroll: true })
  if (document.activeElement === element) return
  element.tabIndex = -1
  element.focus({ preventScroll: true })
}

function withParents(element: Element): readonly Element[] {
  const all: Element[] = []
  for (let one: Element | null = element; one !== null; one = one.parentElement) all.push(one)
  return all
}
