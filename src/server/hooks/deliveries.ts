/** Remembers deliveries for a while: what was handled once is not handled again. */

export type Deliveries = {
  /** False when one of these marks was seen before; else they are remembered. */
  accept(marks: readonly string[]): boolean
  /** It was not handled after all. */
  forget(marks: readonly string[]): void
}

export function deliveriesOf(most: number): Deliveries {
  const seen = new Set<string>()
  return {
    accept(marks) {
      if (marks.some((mark) => seen.has(mark))) return false
      for (const mark of marks) seen.add(mark)
      for (const oldest of seen) {
        if (seen.size <= most) break
        seen.delete(oldest)
      }
      return true
    },
    forget(marks) {
      for (const mark of marks) seen.delete(mark)
    },
  }
}
