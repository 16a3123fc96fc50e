/** The line of a file that declares a field, told by keys and indentation alone: nothing of a repository is parsed here. */

/**
 * `start` is the line of the resource, from 1. Of the path what is found is followed: normal forms have levels that no file
 * has. Gives the line of the deepest part that was found, or `start`.
 */
export function lineOfField(text: string, start: number, path: string): number {
  const lines = text.split('\n')
  const parts = partsOf(path)
  let found = levelOf(lines, beginning(lines, start - 1), parts[0])
  for (const part of parts) {
    const next =
      typeof part === 'number' ? itemBelow(lines, found, part) : keyBelow(lines, found, part)
    if (next !== undefined) found = next
  }
  return found.line + 1
}

type LineMatch = {
  readonly line: number
  readonly indent: number
  /** The line itself has the first of the keys: a document begins with it. */
  readonly isFirstKey?: boolean
}

function beginning(lines: readonly string[], line: number): LineMatch {
  const text = lines[line] ?? ''
  const indent = Math.max(0, text.search(/\S/))
  const isHeader = /:\s*(#.*)?$/.test(text)
  return isHeader ? { line, indent } : { line, indent: indent - 1, isFirstKey: true }
}

/** Manifests have a level that normal forms leave out: the fields of a chart's container stand below its `spec`. */
function levelOf(
  lines: readonly string[],
  start: LineMatch,
  first: string | number | undefined,
): LineMatch {
  if (typeof first !== 'string' || keyBelow(lines, start, first) !== undefined) return start
  for (const level of ['spec', 'metadata']) {
    const inside = keyBelow(lines, start, level)
    if (inside !== undefined && keyBelow(lines, inside, first) !== undefined) return inside
  }
  return start
}

/** `spec.ports[0].name`, `/spec/ports/0/name`. */
function partsOf(path: string): readonly (string | number)[] {
  const parts = path.split(/[./[\]]+/).filter((part) => part !== '')
  return parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part))
}

/** Lines that are deeper than the one above, with their own depth. */
function* below(lines: readonly string[], above: LineMatch): Generator<LineMatch> {
  const { line: from, indent: least, isFirstKey = false } = above
  const isItem = /^\s*- /.test(lines[from] ?? '')
  for (let line = isFirstKey || isItem ? from : from + 1; line < lines.length; line += 1) {
    const text = lines[line] ?? ''
    if (/^\s*(#|$)/.test(text)) continue
    if (/^(---|\.\.\.)/.test(text) && line > from) return
    const indent = text.search(/\S/)
    const isOwnList = indent === least && /^\s*- /.test(text) && !isItem
    if (line > from && indent <= least && !isOwnList) return
    yield { line, indent }
  }
}

function keyBelow(lines: readonly string[], above: LineMatch, key: string): LineMatch | undefined {
  let level: number | undefined
  for (const { line, indent } of below(lines, above)) {
    const text = (lines[line] ?? '').trim()
    const isItem = text.startsWith('- ')
    const own = isItem ? text.slice(2).trim() : text
    const isOfList = isItem && (own.startsWith(`${key}=`) || own === key || isNamed(own, key))
    if (isOfList) return { line, indent }
    const depth = isItem ? indent + 2 : indent
    level ??= depth
    if (depth > level) continue
    const name = /^["']?([^"':]+)["']?\s*:/.exec(own)?.[1]
    if (name !== undefined && plain(name) === plain(key)) return { line, indent: depth }
  }
  return undefined
}

function itemBelow(
  lines: readonly string[],
  above: LineMatch,
  index: number,
): LineMatch | undefined {
  let [level, count]: [number | undefined, number] = [undefined, 0]
  for (const { line, indent } of below(lines, above)) {
    if (!/^\s*- ?/.test(lines[line] ?? '') || line === above.line) continue
    level ??= indent
    if (indent !== level) continue
    if (count === index) return { line, indent }
    count += 1
  }
  return undefined
}

/** A list of things with names: `- name: KEY`. */
function isNamed(own: string, key: string): boolean {
  return /^name:\s*["']?([^"'\s]+)/.exec(own)?.[1] === key
}

/** `mem_limit`, `memLimit` and `mem-limit` are one. */
function plain(name: string): string {
  return name.trim().replaceAll(/[-_]/g, '').toLowerCase()
}
