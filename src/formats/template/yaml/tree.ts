/** Values as the tree that is written: through JSON for version 2, as sigs.k8s.io/yaml does, straight for 3. */
import { bytesText } from '../byte-list.ts'
import type { Budget } from '../budget.ts'
import { decodeRune, encodeRune, isValidUtf8, toBuffer } from '../bytes.ts'
import { GoError } from '../errors.ts'
import { formatFloat } from '../fmt/float.ts'
import { jsonNumber } from '../json/write.ts'
import { versionText } from '../semver/version.ts'
import { durationText } from '../time/duration.ts'
import { formatMoment } from '../time/format.ts'
import type { Value } from '../values.ts'
import { compareKeys } from './key-order.ts'
import { resolvePlain, type YamlVersion } from './resolve.ts'

type YamlScalar = {
  readonly kind: 'scalar'
  readonly text: string
  readonly isString: boolean
}
export type YamlTree =
  | YamlScalar
  | { readonly kind: 'list'; readonly items: readonly YamlTree[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [string, YamlTree])[] }

export function yamlTree(value: Value, version: YamlVersion, budget: Budget, depth = 0): YamlTree {
  budget.grow()
  budget.nest(depth)
  if (value === null) return bare('null')
  if (typeof value === 'boolean') return bare(String(value))
  if (typeof value === 'string') return string(value, version)
  if (typeof value === 'number') return bare(version === 2 ? numberText(value) : floatText(value))
  if (typeof value === 'bigint') return bare(String(value))
  switch (value.kind) {
    case 'sized':
      if (version >= 3 && value.type === 'time.Duration')
        return string(durationText(value.value), version)
      return bare(String(value.value))
    case 'complex':
      throw new GoError(
        version === 2 ? 'json: unsupported type: complex128' : 'cannot marshal type: complex128',
      )
    case 'list':
      if (value.isNil && version === 2) return bare('null')
      if (version === 2 && bytesText(value) !== undefined)
        return string(toBuffer(bytesText(value) ?? '').toString('base64'), version)
      return {
        kind: 'list',
        items: value.items.map((item) => yamlTree(item, version, budget, depth + 1)),
      }
    case 'dict':
      if (value.isNil && version === 2) return bare('null')
      return mapOf(value.entries, version, budget, depth)
    case 'struct': {
      const fields = [...value.fields].map(
        ([name, held]) => [version === 2 ? name : name.toLowerCase(), held] as const,
      )
      return mapOf(new Map(fields), version, budget, depth)
    }
    case 'time': {
      const text = formatMoment(value.moment, '2006-01-02T15:04:05.999999999Z07:00')
      return version === 2 ? string(text, version) : bare(text)
    }
    case 'semver':
      return string(versionText(value.version), version)
  }
}

function bare(text: string): YamlTree {
  return { kind: 'scalar', text, isString: false }
}

/** Characters that a reader of YAML refuses make the way through JSON fail. */
function string(text: string, version: YamlVersion): YamlScalar {
  const valid = isValidUtf8(text) ? text : repaired(text)
  if (version === 2 && /\x7f|\xc2[\x80-\x84\x86-\x9f]|\xef\xbf[\xbe\xbf]/.test(valid)) {
    throw new GoError('yaml: control characters are not allowed')
  }
  return { kind: 'scalar', text: version === 2 ? folded(valid) : valid, isString: true }
}

/** U+0085 is a line break to YAML, and JSON does not escape it: what is read back has a space there. */
function folded(text: string): string {
  return text.replace(
    /(?<! ) *(?:\xc2\x85 *)+/g,
    (breaks) => '\n'.repeat(breaks.split('\x85').length - 2) || ' ',
  )
}

function repaired(text: string): string {
  let out = ''
  for (let at = 0; at < text.length;) {
    const { rune, size } = decodeRune(text, at)
    out += encodeRune(rune)
    at += size
  }
  return out
}

/** JSON's number, read again: whole ones come out as integers however large. */
function numberText(value: number): string {
  const json = jsonNumber(value)
  const read = resolvePlain(json, 2)
  if (read.tag === 'int') return String(read.value)
  return read.tag === 'float' ? floatText(read.value) : json
}

function floatText(value: number): string {
  const text = formatFloat(value, 'g', -1)
  return text === '+Inf' ? '.inf' : text === '-Inf' ? '-.inf' : text === 'NaN' ? '.nan' : text
}

function mapOf(
  held: ReadonlyMap<string, Value>,
  version: YamlVersion,
  budget: Budget,
  depth: number,
): YamlTree {
  const entries = [...held].map(([key, value]) => {
    const { text } = string(key, version)
    if (version === 2 && key.includes('\xc2\x85'))
      throw new GoError("yaml: could not find expected ':'")
    return [text, yamlTree(value, version, budget, depth + 1)] as const
  })
  return {
    kind: 'map',
    entries: entries.sort(([left], [right]) => compareKeys(left, right, version)),
  }
}
