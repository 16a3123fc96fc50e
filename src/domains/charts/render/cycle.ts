/** Finds resources that wait for each other in a circle. */
import type { Ref } from '#model/ref.ts'
import type { Resource } from '#model/resource.ts'
import { defined } from '#model/defined.ts'

/** Each circle once, as the refs on it from the first to the first again. */
export function findCycles(resources: readonly Resource[]): readonly (readonly Ref[])[] {
  const byRef = new Map(resources.map((resource) => [resource.ref, resource]))
  const state = new Map<Ref, 'open' | 'done'>()
  const cycles: (readonly Ref[])[] = []

  for (const { ref: start } of resources) {
    if (state.has(start)) continue
    // A stack of its own: a chain of thousands must not end in a stack overflow.
    const trail: { readonly ref: Ref; next: number }[] = [{ ref: start, next: 0 }]
    state.set(start, 'open')
    while (trail.length > 0) {
      const top = defined(trail[trail.length - 1])
      const need = byRef.get(top.ref)?.needs[top.next++]
      if (need === undefined) {
        state.set(top.ref, 'done')
        trail.pop()
      } else if (!byRef.has(need.ref)) {
        continue
      } else if (state.get(need.ref) === 'open') {
        const from = trail.findIndex((step) => step.ref === need.ref)
        cycles.push([...trail.slice(from).map((step) => step.ref), need.ref])
      } else if (!state.has(need.ref)) {
        state.set(need.ref, 'open')
        trail.push({ ref: need.ref, next: 0 })
      }
    }
  }
  return cycles
}
