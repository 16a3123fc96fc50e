/** Who is on each network, as a list of containers tells it. */
import { addToList } from '#model/observation-index.ts'

/** `namesOf`: the networks of a container. */
export function attachedBy<Container>(
  namesOf: (container: Container) => readonly string[],
): (containers: readonly Container[]) => ReadonlyMap<string, readonly Container[]> {
  // found once for all who look at the same list
  const known = new WeakMap<readonly Container[], ReadonlyMap<string, readonly Container[]>>()
  return (containers) => {
    const before = known.get(containers)
    if (before !== undefined) return before
    const attached = new Map<string, Container[]>()
    for (const container of containers) {
      for (const network of namesOf(container)) addToList(attached, network, container)
    }
    known.set(containers, attached)
    return attached
  }
}
