/** The rules of a `.dockerignore`: patterns from the context's root, `!` takes back, the last match wins. */

/** Whether a path, relative to the context, stays out of it. */
export type Ignored = (path: string) => boolean

export function dockerIgnore(text: string): Ignored {
  const rules = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(ruleOf)
  return (path) => rules.findLast(({ pattern }) => pattern.test(path))?.ignores ?? false
}

type Rule = { readonly ignores: boolean; readonly pattern: RegExp }

/** What matches a folder matches all that is in it. */
function ruleOf(line: string): Rule {
  const ignores = !line.startsWith('!')
  const glob = line
    .slice(ignores ? 0 : 1)
    .trim()
    .replace(/^\.?\/+|\/+$/g, '')
  return { ignores, pattern: new RegExp(`^${glob === '.' ? '.*' : sourceOf(glob)}(/.*)?$`) }
}

function sourceOf(glob: string): string {
  return glob.replaceAll(/\*\*\/?|\*|\?|\\.|[.+^${}()|[\]\\]/g, (part) => {
    if (part === '**/') return '(?:.*/)?'
    if (part === '**') return '.*'
    if (part === '*') return '[^/]*'
    if (part === '?') return '[^/]'
    // ranges of characters mean the same in both languages
    if (part === '[' || part === ']') return part
    return part.length > 1 ? `\\${part[1]}` : `\\${part}`
  })
}
