/** Which files of a repository count as not there: Flux's usual list, `.sourceignore` files and `spec.ignore`, in the words of a .gitignore. */
import type { Tree } from '#model/tree.ts'
import { defined } from '#model/defined.ts'

/** What source-controller leaves out of every artifact. */
const usualIgnore = `.git
.git/
.gitignore
.gitmodules
.gitattributes
*.jpg
*.jpeg
*.gif
*.png
*.wmv
*.flv
*.tar.gz
*.zip
.github/
.circleci/
.travis.yml
.gitlab-ci.yml
appveyor.yml
.drone.yml
cloudbuild.yaml
codeship-services.yml
codeship-steps.yml
**/.goreleaser.yml
**/.goreleaser.yaml
**/.sops.yaml
**/.flux.yaml
`

type Rule = {
  /** The folder of the file that holds the rule, with a slash at the end; empty for the root. */
  readonly below: string
  readonly ignores: boolean
  readonly isFolder: boolean
  /** The rule is held against the whole path below that folder, not against the name alone. */
  readonly isAnchored: boolean
  readonly parts: readonly string[]
}

/**
 * `said`: of `spec.ignore`; it takes the place of the usual list, and counts after files of the repository. Only what is asked for
 * is read, so that a commit elsewhere changes nothing here.
 */
export function withoutIgnored(tree: Tree, said: string | undefined): Tree {
  const first = said === undefined ? rulesIn(usualIgnore, '') : []
  const last = rulesIn(said ?? '', '')
  const own = new Map<string, readonly Rule[]>()

  function rulesOf(folder: string): readonly Rule[] {
    const known = own.get(folder)
    if (known !== undefined) return known
    const text = new TextDecoder().decode(tree.read(`${folder}.sourceignore`) ?? new Uint8Array())
    const rules = rulesIn(text, folder)
    own.set(folder, rules)
    return rules
  }

  function isThere(path: string): boolean {
    const names = path.split('/')
    const folders = names.map((_, index) => names.slice(0, index).join('/'))
    const said = folders.flatMap((folder) => rulesOf(folder === '' ? '' : `${folder}/`))
    return !isIgnored(path, [...first, ...said, ...last])
  }

  return {
    root: tree.root,
    list: (folder) => tree.list(folder).filter(isThere),
    read: (path) => (isThere(path) ? tree.read(path) : undefined),
  }
}

function rulesIn(text: string, below: string): readonly Rule[] {
  const lines = text.split(/\r?\n/).map((line) => withoutEnd(line))
  return lines.flatMap((line) => {
    if (line === '' || line.startsWith('#')) return []
    const ignores = !line.startsWith('!')
    const bare = (ignores ? line : line.slice(1)).replace(/^\\(?=[#!])/, '')
    const isFolder = bare.endsWith('/')
    const path = isFolder ? bare.slice(0, -1) : bare
    const isAnchored = path.includes('/')
    const parts = path.replace(/^\//, '').split('/')
    return path === '' ? [] : [{ below, ignores, isFolder, isAnchored, parts }]
  })
}

/** The last rule that fits counts. What lies in a folder that is left out is left out with it. */
function isIgnored(path: string, rules: readonly Rule[]): boolean {
  const names = path.split('/')
  for (let length = 1; length <= names.length; length++) {
    const part = names.slice(0, length).join('/')
    const isFolder = length < names.length
    const last = rules.findLast((rule) => speaksOf(rule, part, isFolder))
    if (last?.ignores === true) return true
  }
  return false
}

function speaksOf(rule: Rule, path: string, isFolder: boolean): boolean {
  if ((rule.isFolder && !isFolder) || !path.startsWith(rule.below)) return false
  const names = path.slice(rule.below.length).split('/')
  return rule.isAnchored
    ? matchesAll(rule.parts, names)
    : matchesName(rule.parts[0] ?? '', names.at(-1) ?? '')
}

/** Going back only to the last `**` keeps the cost at parts × names. Trying every one of them would explode. */
function matchesAll(parts: readonly string[], names: readonly string[]): boolean {
  let [at, part, stars, resume] = [0, 0, -1, 0]
  while (at < names.length) {
    const wanted = parts[part]
    if (wanted === '**') {
      if (part === parts.length - 1) return true
      stars = part
      resume = at
      part++
    } else if (wanted !== undefined && matchesName(wanted, defined(names[at]))) {
      at++
      part++
    } else if (stars === -1) return false
    else {
      resume++
      at = resume
      part = stars + 1
    }
  }
  return part === parts.length
}

/** The line without white space at its end, save a space that follows a backslash. */
function withoutEnd(line: string): string {
  const bare = line.trimEnd()
  return bare.endsWith('\\') ? line.slice(0, bare.length + 1) : bare
}

/** Going back only to the last star keeps the cost to pattern × name. */
function matchesName(pattern: string, name: string): boolean {
  // after the last ] no [ is looked after: a line of them would be searched to its end for each
  const end = pattern.lastIndexOf(']') + 1
  const closed = pattern.slice(0, end).match(/\*+|\?|\[[!^]?[^\]]+\]|\\?./gsu) ?? []
  const tokens = [...closed, ...(pattern.slice(end).match(/\*+|\\?./gsu) ?? [])]
  const letters = Array.from(name)
  let [at, token, star, resume] = [0, 0, -1, 0]
  while (at < letters.length) {
    const next = tokens[token]
    if (next?.startsWith('*') === true) [star, resume, token] = [token, at, token + 1]
    else if (next !== undefined && fits(next, defined(letters[at])))
      [at, token] = [at + 1, token + 1]
    else if (star === -1) return false
    else [resume, at, token] = [resume + 1, resume + 1, star + 1]
  }
  return tokens.slice(token).every((rest) => rest.startsWith('*'))
}

function fits(token: string, letter: string): boolean {
  if (token === '?') return true
  const set = /^\[([!^]?)(.+)\]$/s.exec(token)
  if (set === null) return token.replace(/^\\/, '') === letter
  const [, not = '', inside = ''] = set
  const spans = inside.match(/.-.|./gsu) ?? []
  const isIn = spans.some((span) => {
    const [from = '', , to] = Array.from(span)
    return to === undefined ? span === letter : from <= letter && letter <= to
  })
  return isIn === (not === '')
}
