/** Which commit a ref means, from what a repository says it has: a branch before a tag before a commit. */
import { Problem } from '#model/problem.ts'
import { newestIn, versionRange } from './version-range.ts'

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

/** `semver:>=1.0.0 <2.0.0`: the newest tag in a range of versions. */
const ranged = 'semver:'

export function isRange(ref: string): boolean {
  return ref.startsWith(ranged)
}

/** The name of the tag that a range means now. */
export function tagOf(ref: string, refs: ReadonlyMap<string, string>): string | undefined {
  const range = versionRange(ref.slice(ranged.length))
  if (range === undefined) throw notARange(ref.slice(ranged.length))
  const names = [...refs.keys()].flatMap((name) => /^refs\/tags\/([^^]+)$/.exec(name)?.[1] ?? [])
  return newestIn(range, names)
}

/** The tag that a ref means; undefined for a branch or a commit. `names`: the refs that there are, none when nobody asked yet. */
export function tagNamed(ref: string, names: readonly string[]): string | undefined {
  const name = /^refs\/tags\/(.+)$/.exec(ref)?.[1]
  if (name !== undefined) return name
  if (isFullId(ref) || ref === 'HEAD' || ref.startsWith('refs/')) return undefined
  return names.includes(`refs/heads/${ref}`) ? undefined : ref
}

export function commitOf(ref: string, refs: ReadonlyMap<string, string>): string | undefined {
  if (isFullId(ref)) return ref
  if (isRange(ref)) {
    const tag = tagOf(ref, refs)
    return tag === undefined ? undefined : commitOf(`refs/tags/${tag}`, refs)
  }
  for (const name of [ref, `refs/heads/${ref}`, `refs/tags/${ref}`]) {
    if (name !== 'HEAD' && !name.startsWith('refs/')) continue
    const found = refs.get(`${name}^{}`) ?? refs.get(name)
    if (found !== undefined) return found
  }
  return undefined
}

/** As git's own rules: what passes can't be taken for an option or a pattern. */
export function refProblem(ref: string): Problem | undefined {
  if (isRange(ref)) {
    const range = ref.slice(ranged.length)
    return versionRange(range) === undefined ? notARange(range) : undefined
  }
  const isBad =
    ref === '' ||
    /^[-/.]|[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|[/.]$|\.lock$/.test(ref) ||
    ref.includes('/.')
  if (!isBad) return undefined
  return new Problem({
    type: 'configuration',
    code: 'git_error',
    message: `${JSON.stringify(ref)} is not the name of a branch, a tag or a commit`,
    suggestion: 'Write it as `git branch` or `git tag` lists it, or a commit in hexadecimal.',
  })
}

function notARange(text: string): Problem {
  return new Problem({
    type: 'configuration',
    code: 'git_error',
    message: `${JSON.stringify(text)} is not a range of versions`,
    suggestion: 'Write it as >=1.0.0 <2.0.0, ~1.2 or 1.x.',
  })
}
