/** What a forge says of a push, held against what is declared. */
import type { SourceStatus } from '#model/service.ts'
import { isRange } from '#sources/git/refs.ts'

/** A branch that was deleted has only zeros. */
export function isCommit(revision: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(revision) && /[1-9a-f]/.test(revision)
}

/**
 * Forges name the whole ref; declarations mostly the end of it. Which branch HEAD means, and whether a tag is the newest of a range,
 * only the repository knows: it is asked for any branch, and for any tag.
 */
export function isSameRef(
  declared: string,
  ref: string | undefined,
  revision: string | undefined,
): boolean {
  if (ref === undefined || declared === '') return true
  if (declared === revision) return true
  if (declared === 'HEAD' && ref.startsWith('refs/heads/')) return true
  if (isRange(declared) && ref.startsWith('refs/tags/')) return true
  return ref === declared || ref === `refs/heads/${declared}` || ref === `refs/tags/${declared}`
}

/** As far as its text tells. */
export function refTypeOf(ref: string): SourceStatus['refType'] {
  if (/^[0-9a-f]{7,64}$/.test(ref)) return 'commit'
  return ref.startsWith('refs/tags/') ? 'tag' : 'branch'
}
