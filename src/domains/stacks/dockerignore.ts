/** The rules of a `.dockerignore`: patterns from the context's root, `!` takes back, the last match wins. */
import { PatternError } from '#formats/regexp/error.ts'
import { goRegExp, type Pattern } from '#formats/regexp/go-regexp.ts'
import { Problem } from '#model/problem.ts'
import { defined } from '#model/defined.ts'

/** Whether a path, relative to the context, stays out of it. */
export type Ignored = (path: string) => boolean

export function dockerIgnore(text: string): Ignored {
  const rules = text.split('\n').flatMap((written, index) => {
    const line = written.trim()
    return line === '' || line.startsWith('#') ? [] : [ruleOf(line, index + 1)]
  })
  return (path) => rules.findLast(({ pattern }) => pattern.test(path))?.ignores ?? false
}

type Rule = { readonly ignores: boolean; readonly pattern: Pattern }

/** What matches a folder matches all that is in it. */
function ruleOf(rule: string, line: number): Rule {
  const ignores = !rule.startsWith('!')
  const glob = withoutEdges(rule.slice(ignores ? 0 : 1).trim())
  try {
    const pattern = goRegExp(`^${glob === '.' ? '.*' : sourceOf(glob)}(/.*)?$`)
    return { ignores, pattern }
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    throw new Problem({
      type: 'configuration',
      code: 'compose_error',
      at: { file: '.dockerignore', line, column: 1 },
      message: `the pattern ${JSON.stringify(rule)} can't be read`,
      suggestion: 'Close every [ with a ], or write \\[ where the sign itself is meant.',
      cause: error,
    })
  }
}

/** Without `./` or slashes before it and slashes after it. */
function withoutEdges(glob: string): string {
  const start = /^\.?\/+/.exec(glob)?.[0].length ?? 0
  let end = glob.length
  while (end > start && glob[end - 1] === '/') end--
  return glob.slice(start, end)
}

function sourceOf(glob: string): string {
  return glob.replaceAll(/\*\*\/?|\*|\?|\\.|[.+^${}()|[\]\\]/g, (part) => {
    if (part === '**/') return '(?:.*/)?'
    if (part === '**') return '.*'
    if (part === '*') return '[^/]*'
    if (part === '?') return '[^/]'
    // ranges of characters mean the same in both languages
    if (part === '[' || part === ']') return part
    return part.length > 1 ? quoted(defined(part[1])) : quoted(part)
  })
}

/** A letter after a backslash would be a class of letters. */
function quoted(letter: string): string {
  return /^\w$/.test(letter) ? letter : `\\${letter}`
}
