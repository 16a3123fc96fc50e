/** The rules of a `.helmignore`: one glob a line, `!` takes back, a trailing `/` means folders, the last match wins. */
import { defined } from '#model/defined.ts'

export type Ignore = (path: string, isFolder: boolean) => boolean

export function ignoreRules(text: string): Ignore {
  const rules = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(ruleOf)
  return (path, isFolder) =>
    rules.findLast((rule) => (isFolder || !rule.isFolders) && rule.matches(path))?.ignores ?? false
}

type Rule = {
  readonly ignores: boolean
  readonly isFolders: boolean
  matches(path: string): boolean
}

/** Without a slash in the middle a rule speaks of names at any depth, with one of the whole path. */
function ruleOf(line: string): Rule {
  const ignores = !line.startsWith('!')
  const isFolders = line.endsWith('/')
  const glob = line.slice(ignores ? 0 : 1, isFolders ? -1 : undefined)
  if (!glob.includes('/')) {
    const name = globOf(glob)
    return { ignores, isFolders, matches: (path) => name(path.slice(path.lastIndexOf('/') + 1)) }
  }
  const segments = glob.replace(/^\//, '').split('/').map(globOf)
  function matches(path: string): boolean {
    const names = path.split('/')
    return names.length === segments.length && segments.every((name, i) => name(defined(names[i])))
  }
  return { ignores, isFolders, matches }
}

type Token = 'star' | ((character: string) => boolean)

/** Going back only to the last star keeps the cost to pattern × name; a regular expression's can explode. */
function globOf(glob: string): (name: string) => boolean {
  const tokens = tokensOf(glob)
  return (name) => {
    const characters = Array.from(name)
    let [at, token, star, resume] = [0, 0, -1, 0]
    while (at < characters.length) {
      const next = tokens[token]
      if (next === 'star') [star, resume, token] = [token, at, token + 1]
      else if (next?.(defined(characters[at]))) [at, token] = [at + 1, token + 1]
      else if (star === -1) return false
      else [resume, at, token] = [resume + 1, resume + 1, star + 1]
    }
    return tokens.slice(token).every((rest) => rest === 'star')
  }
}

function tokensOf(glob: string): readonly Token[] {
  // after the last ] no [ is looked after: a line of them would be searched to its end for each
  const end = glob.lastIndexOf(']') + 1
  const closed = glob.slice(0, end).match(/\*|\?|\[[!^]?[^\]]+\]|\\?./gsu) ?? []
  const parts = [...closed, ...(glob.slice(end).match(/\\?./gsu) ?? [])]
  return parts.map((part) => {
    if (part === '*') return 'star'
    if (part === '?') return () => true
    if (part.length > 2 && part.startsWith('[')) return classOf(part.slice(1, -1))
    const literal = part.length > 1 && part.startsWith('\\') ? part.slice(1) : part
    return (character) => character === literal
  })
}

function classOf(text: string): (character: string) => boolean {
  const isNegated = text.startsWith('!') || text.startsWith('^')
  const ranges = (isNegated ? text.slice(1) : text).match(/.-.|./gsu) ?? []
  return (character) => {
    const isInside = ranges.some((range) => {
      const [first, dash, last] = range
      return dash === undefined
        ? character === first
        : character >= defined(first) && character <= defined(last)
    })
    return isInside !== isNegated
  }
}
