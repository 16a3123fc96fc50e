/** What a forge says of a push, held against what is declared. */

/** A branch that was deleted has only zeros. */
export function isCommit(revision: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(revision) && /[1-9a-f]/.test(revision)
}

/** Forges name the whole ref; declarations mostly the end of it. */
export function isSameRef(
  declared: string,
  ref: string | undefined,
  revision: string | undefined,
): boolean {
  if (ref === undefined || declared === '') return true
  if (declared === revision) return true
  return ref === declared || ref === `refs/heads/${declared}` || ref === `refs/tags/${declared}`
}
