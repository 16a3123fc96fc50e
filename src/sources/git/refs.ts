/** Which commit a ref means, from what a repository says it has: a branch before a tag before a commit. */
import { Problem } from '#model/problem.ts'

const full = /^([0-9a-f]{40}|[0-9a-f]{64})$/
const short = /^[0-9a-f]{7,39}$/

export function isFullId(ref: string): boolean {
  return full.test(ref)
}

export function isShortId(ref: string): boolean {
  return short.test(ref)
}

/** Whether it can be answered from branches and tags alone. */
export function isUsual(ref: string): boolean {
  return ref !== 'HEAD' && (!ref.startsWith('refs/') || /^refs\/(heads|tags)\//.test(ref))
}

export function commitOf(ref: string, refs: ReadonlyMap<string, string>): string | undefined {
  if (isFullId(ref)) return ref
  for (const name of [ref, `refs/heads/${ref}`, `refs/tags/${ref}`]) {
    if (name !== 'HEAD' && !name.startsWith('refs/')) continue
    const found = refs.get(`${name}^{}`) ?? refs.get(name)
    if (found !== undefined) return found
  }
  return undefined
}

/** As git's own rules: what passes can't be taken for an option or a pattern. */
export function checkRef(ref: string): void {
  const isBad =
    ref === '' ||
    /^[-/.]|[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|[/.]$|\.lock$/.test(ref) ||
    ref.includes('/.')
  if (!isBad) return
  throw new Problem({
    type: 'configuration',
    code: 'git_error',
    message: `${JSON.stringify(ref)} is not the name of a branch, a tag or a commit`,
    suggestion: 'Write it as `git branch` or `git tag` lists it, or a commit in hexadecimal.',
  })
}
