/**
 * Reads a Dockerfile strictly: whatever engines may read differently is not understood, and told with its line. What is understood is
 * printed anew for them, so that no engine reads anything but what was judged.
 */
import type { Command, Dockerfile, Instruction, Pair } from './instruction.ts'
import { flagsOf } from './flags.ts'
import { linesIn, listAt, plainBegin, type Escape, type HereDocument, type Line } from './lines.ts'
import { NotUnderstood } from './refused.ts'
import { literalOf, splitQuoted, wordOf, type Word } from './words.ts'

/** Throws NotUnderstood. */
export function parseDockerfile(text: string): Dockerfile {
  const { escape, lines } = linesIn(text)
  return lines.map((line) => instructionOf(line, escape))
}

function instructionOf({ text, line, documents }: Line, escape: Escape): Instruction {
  const [, written = '', after = ''] = /^([A-Za-z]+)(?:[\t ]+(.*))?$/s.exec(text) ?? []
  const keyword = written.toUpperCase()
  const { flags, rest } = flagsOf(keyword, after, line)
  if (rest === '') throw new NotUnderstood(line, `${shown(text)} without anything`, 'take it out')
  const base = { line, flags }
  switch (keyword) {
    case 'FROM':
      return { ...base, keyword, ...stageOf(rest, escape, line) }
    case 'ARG':
      return { ...base, keyword, pairs: argumentsIn(rest, escape, line) }
    case 'ENV':
    case 'LABEL':
      return { ...base, keyword, pairs: pairsIn(rest, escape, line) }
    case 'ADD':
    case 'COPY':
      return { ...base, keyword, ...copied(rest, escape, line, documents) }
    case 'VOLUME':
      return { ...base, keyword, words: listOf(rest, escape, line) }
    case 'EXPOSE':
      return { ...base, keyword, words: split(rest).map((one) => wordOf(one, escape, line)) }
    case 'RUN':
    case 'CMD':
    case 'ENTRYPOINT':
    case 'SHELL':
      return { ...base, keyword, command: commandOf(rest, line, documents) }
    case 'HEALTHCHECK':
      return { ...base, keyword, command: checkOf(rest, line) }
    case 'WORKDIR':
    case 'USER':
    case 'STOPSIGNAL':
      return { ...base, keyword, word: wordOf(rest, escape, line) }
    case 'MAINTAINER':
      return { ...base, keyword, text: rest }
    case 'ONBUILD':
      return { ...base, keyword, later: laterOf({ text: rest, line, documents }, escape) }
    default:
      throw new NotUnderstood(line, `${shown(text)}, no known instruction,`, 'take it out')
  }
}

function shown(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}

function split(text: string): readonly string[] {
  return text.split(/[\t ]+/)
}

function laterOf(line: Line, escape: Escape): Instruction {
  const later = instructionOf(line, escape)
  if ('documents' in later && later.documents !== undefined) {
    const instead = 'put the text into a file of the repository and COPY that'
    throw new NotUnderstood(line.line, 'a here-document of ONBUILD COPY or ADD', instead)
  }
  if (!['ONBUILD', 'FROM', 'MAINTAINER'].includes(later.keyword)) return later
  throw new NotUnderstood(line.line, `ONBUILD ${later.keyword}`, 'take it out')
}

/** `IMAGE` or `IMAGE AS NAME`; engines differ in whether capitals count in a name. */
function stageOf(
  rest: string,
  escape: Escape,
  line: number,
): { readonly image: Word; readonly stage?: string } {
  const [image = '', as, name = '', ...more] = split(rest)
  if (as === undefined) return { image: wordOf(image, escape, line) }
  const stage = name.toLowerCase()
  const isName = /^[a-z][a-z0-9_.-]*$/.test(stage)
  if (/^as$/i.test(as) && isName && more.length === 0) {
    return { image: wordOf(image, escape, line), stage }
  }
  throw new NotUnderstood(line, `FROM ${shown(rest)}`, 'write FROM IMAGE or FROM IMAGE AS NAME')
}

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/

function argumentsIn(rest: string, escape: Escape, line: number): readonly Pair[] {
  return splitQuoted(rest, escape).map((written) => {
    const at = written.indexOf('=')
    const name = at < 0 ? written : written.slice(0, at)
    if (!variableName.test(name)) {
      throw new NotUnderstood(line, `ARG ${shown(written)}`, 'write ARG NAME or ARG NAME=VALUE')
    }
    return at < 0 ? { name } : { name, value: wordOf(written.slice(at + 1), escape, line) }
  })
}

/** `NAME=VALUE …`, or the old `NAME VALUE` with the whole rest as value. */
function pairsIn(rest: string, escape: Escape, line: number): readonly Pair[] {
  const words = splitQuoted(rest, escape)
  if (words[0]?.includes('=') !== true) {
    const [, name = '', value = ''] = /^([^\t ]*)[\t ]+(.*)$/s.exec(rest) ?? []
    return [pairOf(name, value, escape, line)]
  }
  return words.map((written) => {
    const at = written.indexOf('=')
    return pairOf(at < 0 ? '' : written.slice(0, at), written.slice(at + 1), escape, line)
  })
}

function pairOf(written: string, value: string, escape: Escape, line: number): Pair {
  const name = literalOf(wordOf(written, escape, line)) ?? ''
  if (/^[A-Za-z0-9_./:@-]+$/.test(name)) return { name, value: wordOf(value, escape, line) }
  throw new NotUnderstood(line, `the name ${shown(written)}`, 'write NAME=VALUE with a plain name')
}

function copied(
  rest: string,
  escape: Escape,
  line: number,
  documents: readonly HereDocument[],
): { readonly words: readonly Word[]; readonly documents?: readonly HereDocument[] } {
  if (documents.length === 0) {
    const words = listOf(rest, escape, line)
    if (words.length > 1) return { words }
    throw new NotUnderstood(line, `${shown(rest)} without a target`, 'say where it goes')
  }
  const filled = documents.find(({ isQuoted, content }) => !isQuoted && /[$\\`]/.test(content))
  if (filled !== undefined) {
    const what = `the here-document ${filled.name}, in which engines would fill in variables,`
    throw new NotUnderstood(line, what, `write <<'${filled.name}' where none is meant`)
  }
  const written = split(rest).filter((word) => !plainBegin.test(word))
  const words = written.map((word) => wordOf(word, escape, line))
  if (words.length > 0 && words.every((word) => word.length > 0)) return { words, documents }
  throw new NotUnderstood(line, `${shown(rest)} without a target`, 'say where it goes')
}

/** A list in JSON, or words; quotes do not keep words together there. */
function listOf(rest: string, escape: Escape, line: number): readonly Word[] {
  const items = jsonOf(rest, line) ?? split(rest)
  const words = items.map((item) => wordOf(item, escape, line))
  if (words.every((word) => word.length > 0)) return words
  throw new NotUnderstood(line, `${shown(rest)}, of which a word is empty,`, 'write it out')
}

function commandOf(rest: string, line: number, documents: readonly HereDocument[]): Command {
  const list = jsonOf(rest, line)
  return list === undefined ? { text: rest, documents } : { list }
}

function checkOf(rest: string, line: number): Command | 'NONE' {
  const [, kind = '', command = ''] = /^([A-Za-z]+)(?:[\t ]+(.*))?$/s.exec(rest) ?? []
  if (kind.toUpperCase() === 'NONE' && command === '') return 'NONE'
  if (kind.toUpperCase() === 'CMD' && command !== '') return commandOf(command, line, [])
  throw new NotUnderstood(line, `HEALTHCHECK ${shown(rest)}`, 'write HEALTHCHECK CMD … or NONE')
}

/** Undefined: no list. Some engines read a list up to its end, whatever follows; others take such a line for plain words. */
function jsonOf(rest: string, line: number): readonly string[] | undefined {
  const found = listAt(rest)
  if (found === undefined) return undefined
  const items = found === rest ? itemsIn(rest) : undefined
  if (items !== undefined) return items.map((item) => plainItem(item, line))
  const what = `${shown(rest)}, which some engines take for a list and some do not,`
  throw new NotUnderstood(line, what, 'write the list alone, or begin with another word than [')
}

function itemsIn(text: string): readonly string[] | undefined {
  try {
    const items: unknown = JSON.parse(text)
    return Array.isArray(items) ? items.map(String) : undefined
  } catch {
    // it has the form of a list, with an escape that JSON does not know
    return undefined
  }
}

function plainItem(item: string, line: number): string {
  if (!/(?![\t\n\r ])[\p{Z}\p{Cc}\uFEFF\uFFFD\p{Cs}]/u.test(item)) return item
  throw new NotUnderstood(line, `${shown(item)}, with an odd character,`, 'leave it out')
}
