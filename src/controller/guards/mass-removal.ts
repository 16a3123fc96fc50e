/** The guard over applications: what goes all at once went by mistake. */

const atLeast = 10

/** Why nothing is removed, or undefined. */
export function massRemovalReason(counts: {
  readonly before: number
  readonly lost: number
  /** False: what could not be read may hold them. */
  readonly isWhole: boolean
}): string | undefined {
  const { before, lost, isWhole } = counts
  if (lost === 0) return undefined
  if (!isWhole) return 'not everything in the source could be read'
  if (lost === before && before > 1)
    return `the source suddenly holds none of ${before} applications`
  if (lost >= atLeast && lost * 2 > before) {
    return `${lost} of ${before} applications are gone from the source at once`
  }
  return undefined
}
