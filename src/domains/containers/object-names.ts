/** Names of a container's other selves while it is replaced. */

/** A half-made new one. */
export function nextName(object: string, six: string): string {
  return `${object}-next-${six}`
}

/** A kept old one. */
export function previousName(object: string, six: string): string {
  return `${object}-prev-${six}`
}

export function isPrevious(name: string): boolean {
  return /-prev-[0-9a-f]{6}$/.test(name)
}

export function isNext(name: string): boolean {
  return /-next-[0-9a-f]{6}$/.test(name)
}
