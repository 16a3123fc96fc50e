/**
 * Reads a Dockerfile as far as it has to be judged. Engines differ in what they take for the text of an instruction (here-documents,
 * comments, continued lines), and a file may be written so that they do. So every line may begin one here, but for those that every
 * engine takes for the rest of another: rather one too many is looked at than one too few.
 */

export type Instruction = {
  /** In capitals, without ONBUILD before it. */
  readonly keyword: string
  /** `--mount=…` and the like, without quotes and escapes. */
  readonly flags: readonly string[]
  readonly rest: string
  /** From 1. */
  readonly line: number
}

const known = new Set(['FROM', 'ARG', 'ADD', 'COPY', 'RUN'])

/** Letters that are looked at in all: each line of a long run of continued ones is looked at with all that follow. */
const mostLetters = 2 * 1024 * 1024
const mostInstructions = 5_000

/** Undefined: it is too long to be looked at. */
export function instructionsIn(text: string): readonly Instruction[] | undefined {
  // only some engines take a line return by itself for anything but a space
  const lines = linesIn(text)
  const found: Instruction[] = []
  let letters = 0
  const escapes = escapesIn(text)
  const continued = escapes.length === 1 ? continuedLines(lines) : new Set<number>()
  for (const escape of escapes) {
    for (const [index, first] of lines.entries()) {
      if (continued.has(index) || !mayBegin(first, escape)) continue
      const whole = joined(lines, index, escape)
      letters += whole.length
      if (letters > mostLetters || found.length >= mostInstructions) return undefined
      const one = instructionOf(whole, escape, index + 1)
      if (one !== undefined) found.push(one)
    }
  }
  return found
}

/**
 * Engines are written in Go, which takes U+0085 for a space and U+0130 for a capital i, and U+FEFF for no space but at the very
 * beginning: all three otherwise than JavaScript.
 */
function linesIn(text: string): readonly string[] {
  return text
    .replace(/^\uFEFF/, ' ')
    .replaceAll('\u0085', ' ')
    .replaceAll('\uFEFF', '\uFFFD')
    .replaceAll('\u0130', 'I')
    .split('\n')
}

/**
 * Lines that every engine takes for the rest of a RUN, by their index: from the first line on nothing is odd. Two letters of escape,
 * spaces behind one, empty lines and indented comments in between, here-documents and line returns are.
 */
function continuedLines(lines: readonly string[]): ReadonlySet<number> {
  const continued = new Set<number>()
  let goesOn = false
  let isRun = false
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('#')) continue
    if (line.includes('<<') || line.includes('\r')) break
    if (goesOn && /^\s*(#|$)/.test(line)) break
    if (goesOn && isRun) continued.add(index)
    if (!goesOn) isRun = /^\s*RUN\s/i.test(line)
    goesOn = /[^\\`\s]\s*\\$/.test(line)
    if (!goesOn && /[\\`]\s*$/.test(line)) break
  }
  return continued
}

/**
 * The line of the first FROM, where nothing stands above it but comments and ARGs in a line each, so that every engine takes it for
 * that; else undefined.
 */
export function firstFrom(text: string): number | undefined {
  for (const [index, line] of linesIn(text).entries()) {
    if (/[\\`]\s*$/.test(line) || line.includes('<<')) return undefined
    if (/^\s*FROM\s/i.test(line)) return index + 1
    if (!/^\s*(#.*|ARG\s.*)?$/i.test(line)) return undefined
  }
  return undefined
}

/** Lines that every engine takes for a whole FROM: none goes on into them, and no here-document may be open. */
export function certainFroms(text: string): ReadonlySet<number> {
  const certain = new Set<number>()
  let isContinued = false
  for (const [index, line] of linesIn(text).entries()) {
    // a comment ends nothing
    if (line.trim() === '' || /^\s*#/.test(line)) continue
    if (line.includes('<<')) break
    const goesOn = /[\\`]\s*$/.test(line)
    if (!isContinued && !goesOn && /^\s*FROM\s/i.test(line)) certain.add(index + 1)
    isContinued = goesOn
  }
  return certain
}

/** Whether a directive counts depends on what stands above it: where there is one, either letter may continue a line. */
function escapesIn(text: string): readonly string[] {
  const isNamed = text.includes('`') && text.toLowerCase().includes('escape')
  return isNamed ? ['\\', '`'] : ['\\']
}

function mayBegin(line: string, escape: string): boolean {
  const [, words = ''] =
    /^[\s\uFFFD]*((?:ONBUILD[\s\uFFFD]+)*[a-z]+)(?=\s|[`\\]|$)/i.exec(line) ?? []
  const last = words.split(/[\s\uFFFD]+/).at(-1) ?? ''
  return known.has(last.toUpperCase()) || isSplit(line, escape)
}

/** The word itself may go on in the next line. */
function isSplit(line: string, escape: string): boolean {
  const text = line.trimEnd()
  return (
    text.endsWith(escape) && /^[\s\uFFFD]*(ONBUILD[\s\uFFFD]+)*[a-z]*$/i.test(text.slice(0, -1))
  )
}

/** With the lines that it goes on in. Comments and empty lines in between are passed over, as engines do. */
function joined(lines: readonly string[], from: number, escape: string): string {
  let whole = ''
  for (let index = from; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    if (index > from && (/^\s*#/.test(line) || line.trim() === '')) continue
    const text = line.trimEnd()
    if (!text.endsWith(escape)) return whole + line
    whole += text.slice(0, -1)
    if (whole.length > mostLetters) break
  }
  return whole
}

/** What follows ONBUILD is read as a file of its own, at the very beginning of which U+FEFF is passed over. */
function begun(text: string): string {
  return text.replace(/^[\s\uFFFD]+/, '')
}

function instructionOf(whole: string, escape: string, line: number): Instruction | undefined {
  let rest = begun(whole)
  let keyword = ''
  do {
    const [first = ''] = /^\S*/.exec(rest) ?? []
    keyword = first.toUpperCase()
    rest = rest.slice(first.length)
    rest = keyword === 'ONBUILD' ? begun(rest) : rest.trimStart()
  } while (keyword === 'ONBUILD')
  if (!known.has(keyword)) return undefined
  const flags: string[] = []
  while (rest.startsWith('--')) {
    const flag = wordOf(rest, escape)
    rest = rest.slice(flag.length).trimStart()
    flags.push(plain(flag, escape))
  }
  return { keyword, flags, rest, line }
}

/** Up to the first space that is neither quoted nor escaped. */
function wordOf(text: string, escape: string): string {
  let quote = ''
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] ?? ''
    if (letter === escape) at += 1
    else if (quote !== '') quote = letter === quote ? '' : quote
    else if (letter === '"' || letter === "'") quote = letter
    else if (/\s/.test(letter)) return text.slice(0, at)
  }
  return text
}

function plain(word: string, escape: string): string {
  return word.replaceAll(/["']/g, '').replaceAll(escape, '')
}

/** Words of the rest, and before them the items of a list in JSON. */
export function argumentsOf({ rest }: Instruction): readonly string[] {
  const text = rest.trim()
  return [...itemsOf(text), ...text.split(/\s+/)].map(bare)
}

/** Some engines read a list up to its end, whatever follows it; others take such a line for plain words. */
function itemsOf(text: string): readonly string[] {
  const [list] = /^\[(?:[^"\]]|"(?:[^"\\]|\\.)*")*\]/.exec(text) ?? []
  if (list === undefined) return []
  try {
    const items: unknown = JSON.parse(list)
    return Array.isArray(items) ? items.map(String) : []
  } catch {
    // no list in JSON: its words are looked at all the same
    return []
  }
}

/** Engines take quotes and either letter of escape out of every word, also out of those of a list in JSON. */
function bare(word: string): string {
  return word.replaceAll(/["'\\`]/g, '')
}

/** The images that stages start from. */
export function baseImages(dockerfile: string): readonly string[] {
  const all = (instructionsIn(dockerfile) ?? []).flatMap((one) =>
    one.keyword === 'FROM' ? argumentsOf(one).slice(0, 1) : [],
  )
  return [...new Set(all)].filter((image) => image !== '')
}
