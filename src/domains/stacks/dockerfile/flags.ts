/** The flags of an instruction of a Dockerfile: only known ones, each once, with plain values. */
import type { Field, Flag } from './instruction.ts'
import { NotUnderstood } from './refused.ts'
import { wordOf, type Word } from './words.ts'

/** By keyword; those with a * may be said again. */
const known: Readonly<Record<string, string>> = {
  FROM: 'platform',
  ADD: 'chown chmod checksum keep-git-dir link exclude* unpack',
  COPY: 'chown chmod from link parents exclude*',
  RUN: 'mount* network security',
  HEALTHCHECK: 'interval timeout start-period start-interval retries',
}

/** Engines fill variables in before they take a flag apart, so that one could bring anything in where the parts are judged. */
const withVariables = new Set(['platform', 'chown', 'chmod'])

type Flagged = { readonly flags: readonly Flag[]; readonly rest: string }

export function flagsOf(keyword: string, text: string, line: number): Flagged {
  const names = (known[keyword] ?? '').split(' ')
  const flags: Flag[] = []
  let rest = text
  while (rest.startsWith('--')) {
    const [written = ''] = /^[^\t ]*/.exec(rest) ?? []
    rest = rest.slice(written.length).replace(/^[\t ]+/, '')
    const [, name = '', value] = /^--([a-z][a-z-]*)(?:=([A-Za-z0-9_./:@%+=,*${}-]+))?$/.exec(
      written,
    ) ?? ['']
    const isKnown = names.includes(name) || names.includes(`${name}*`)
    if (!isKnown || (value ?? '').includes('$') !== hasVariable(name, value)) {
      const instead = 'leave it out, or write it without quotes, escapes and variables'
      throw new NotUnderstood(line, `${keyword} ${written}`, instead)
    }
    if (flags.some((flag) => flag.name === name) && !names.includes(`${name}*`)) {
      throw new NotUnderstood(line, `${keyword} with --${name} said twice`, 'say it once')
    }
    flags.push(flagOf(name, value, line))
  }
  return { flags, rest }
}

function hasVariable(name: string, value = ''): boolean {
  return value.includes('$') && withVariables.has(name)
}

function flagOf(name: string, value: string | undefined, line: number): Flag {
  if (value === undefined) return { name }
  if (name === 'mount') return { name, fields: fieldsOf(value, line) }
  const word = wordOf(value, '\\', line)
  if (!isPlainWord(word)) throw new NotUnderstood(line, `--${name}=${value}`, 'write it plainly')
  return { name, value: word }
}

function isPlainWord(word: Word): boolean {
  return word.every((part) => typeof part !== 'string' || !/[${}]/.test(part))
}

/** Fields of a mount, each under one name. */
const sameField: Readonly<Record<string, string>> = {
  src: 'source',
  dst: 'target',
  destination: 'target',
  readonly: 'ro',
  readwrite: 'rw',
}
const knownFields = new Set(
  'type from source target ro rw size id required mode uid gid env sharing bind-propagation'.split(
    ' ',
  ),
)

function fieldsOf(value: string, line: number): readonly Field[] {
  const fields: Field[] = []
  for (const written of value.split(',')) {
    const [, key = '', said] = /^([a-z-]+)(?:=([A-Za-z0-9_./:@%+-]+))?$/.exec(written) ?? ['']
    const name = sameField[key] ?? key
    const what = `RUN --mount=${value}, of which ${written} is not understood,`
    if (!knownFields.has(name)) throw new NotUnderstood(line, what, 'mount without it')
    const others = name === 'ro' || name === 'rw' ? ['ro', 'rw'] : [name]
    if (fields.some((field) => others.includes(field.name))) {
      const twice = `RUN --mount=${value}, which says ${key} twice,`
      throw new NotUnderstood(line, twice, 'say it once')
    }
    fields.push({ name, ...(said === undefined ? {} : { value: said }) })
  }
  return fields
}
