/** Prints a Dockerfile in the one form that every engine reads alike: an instruction a line, no comments, no here-documents. */
import type { Command, Dockerfile, Flag, Instruction, Pair } from './instruction.ts'
import { contentOf, withDocuments } from './documents.ts'
import { NotUnderstood } from './refused.ts'
import { bare, isBare, literalOf, quoted, type Word } from './words.ts'

/** Bytes of a line, of which some engines read no more. */
const longestLine = 65_000

type Shell = readonly string[]

const usualShell: Shell = ['/bin/sh', '-c']

/** Where nothing is sent, the files of here-documents need no name that is nobody else's. */
const someFolder = '.here-documents'

/** `first`: an instruction that stands first in every stage. Throws NotUnderstood. */
export function printDockerfile(dockerfile: Dockerfile, first?: string): string {
  const shells = new Map<string, Shell>()
  let stage = ''
  let shell = usualShell
  const lines: string[] = []
  for (const one of withDocuments(dockerfile, someFolder).dockerfile) {
    if (one.keyword === 'FROM') {
      shell = shells.get(literalOf(one.image) ?? '') ?? usualShell
      stage = one.stage ?? ''
    }
    if (one.keyword === 'SHELL' && 'list' in one.command) shell = one.command.list
    if (stage !== '') shells.set(stage, shell)
    const line = printed(one, shell)
    if (Buffer.byteLength(line) > longestLine) {
      throw new NotUnderstood(one.line, 'an instruction that is too long', 'make it shorter')
    }
    lines.push(line)
    if (one.keyword === 'FROM' && first !== undefined) lines.push(first)
  }
  return `${lines.join('\n')}\n`
}

/** `--link` changes how layers are kept and nothing in the image, and the engines that are spoken to here know no such flag. */
const layerOfItsOwn = 'link'

function printed(one: Instruction, shell: Shell): string {
  const flags = one.flags.filter(({ name }) => name !== layerOfItsOwn)
  return [one.keyword, ...flags.map(printedFlag), printedRest(one, shell)].join(' ')
}

function printedRest(one: Instruction, shell: Shell): string {
  switch (one.keyword) {
    case 'FROM':
      return one.stage === undefined ? imageIn(one) : `${imageIn(one)} AS ${one.stage}`
    case 'ARG':
    case 'ENV':
    case 'LABEL':
      return one.pairs.map(printedPair).join(' ')
    case 'ADD':
    case 'COPY':
    case 'VOLUME':
      return printedList(one.words)
    case 'EXPOSE':
      return one.words.map((word) => plainly(word, one.line)).join(' ')
    case 'RUN':
    case 'CMD':
    case 'ENTRYPOINT':
    case 'SHELL':
      return printedCommand(one.command, shell, one.line)
    case 'HEALTHCHECK':
      return one.command === 'NONE' ? 'NONE' : `CMD ${printedCommand(one.command, shell, one.line)}`
    case 'WORKDIR':
    case 'USER':
    case 'STOPSIGNAL':
      return isBare(one.word) ? bare(one.word) : quoted(one.word)
    case 'MAINTAINER':
      return one.text
    case 'ONBUILD':
      return printed(one.later, shell)
  }
}

function imageIn({ image, line }: Instruction & { readonly keyword: 'FROM' }): string {
  return plainly(image, line)
}

/** Where spaces part words and quotes do not count everywhere. */
function plainly(word: Word, line: number): string {
  if (isBare(word)) return bare(word)
  const what = `${quoted(word)}, which is no plain word,`
  throw new NotUnderstood(line, what, 'write it without quotes, spaces and other signs')
}

function printedFlag({ name, value, fields }: Flag): string {
  if (fields !== undefined) {
    const all = fields.map((field) =>
      field.value === undefined ? field.name : `${field.name}=${field.value}`,
    )
    return `--${name}=${all.join(',')}`
  }
  return value === undefined ? `--${name}` : `--${name}=${bare(value)}`
}

function printedPair({ name, value }: Pair): string {
  return value === undefined ? name : `${name}=${quoted(value)}`
}

function printedList(words: readonly Word[]): string {
  if (words.every(isBare)) return words.map(bare).join(' ')
  return JSON.stringify(words.map((word) => (isBare(word) ? bare(word) : quoted(word))))
}

function printedCommand(command: Command, shell: Shell, line: number): string {
  if ('list' in command) return JSON.stringify(command.list)
  const { text, documents } = command
  const [only, ...more] = documents
  if (only === undefined) return text
  const isScript = more.length === 0 && !/[\t ]/.test(text)
  const content = contentOf(only)
  if (isScript && content.startsWith('#!')) {
    const instead = 'put the script into a file, COPY and RUN that'
    throw new NotUnderstood(line, 'a here-document that is a script of its own', instead)
  }
  const whole = documents.map(({ name, content: inside }) => `${inside}${name}\n`).join('')
  return JSON.stringify([...shell, isScript ? content : `${text}\n${whole}`])
}
