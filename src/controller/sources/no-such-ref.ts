/** What is said of a ref that a repository does not have: which ones it has, and which one was probably meant. */
import { didYouMean } from '#formats/schema/suggestion.ts'
import { Problem } from '#model/problem.ts'
import type { Repository } from '#model/source.ts'

const mostNames = 10

export function noSuchRef(ref: string, { shown, names }: Repository): Problem {
  const [, wanted, name = ref] = /^refs\/(heads|tags)\/(.*)$/.exec(ref) ?? []
  const ofKind = (names?.() ?? []).filter((each) => each.startsWith(`refs/${wanted ?? ''}`))
  const there = ofKind.flatMap((each) => /^refs\/(?:heads|tags)\/(.*[^}])$/.exec(each)?.[1] ?? [])
  const more = there.length > mostNames ? `, and ${there.length - mostNames} more` : ''
  const all = `it has: ${there.slice(0, mostNames).join(', ')}${more}`
  const meant = didYouMean(name, there)
  const known = there.length === 0 ? 'check the ref in the declaration' : all
  return new Problem({
    type: 'configuration',
    code: 'git_error',
    message: `${shown} has no branch, tag or commit ${JSON.stringify(ref)}`,
    suggestion: meant === undefined ? known : `${meant} ${known}`,
  })
}
