/** Values to text: print, println, and each verb of printf. */
import { bytesText } from '../byte-list.ts'
import type { Budget } from '../budget.ts'
import { basicKind, sortedKeys, typeOf, type Value } from '../values.ts'
import { stringOf } from '../stringer.ts'
import {
  characterText,
  floatText,
  hexText,
  integerText,
  noFlags,
  pad,
  quotedCharacter,
  quotedText,
  truncated,
  unicodeText,
  type Flags,
} from './flags.ts'

/** %v without flags, the form of every action's output. */
export function plain(value: Value, budget: Budget): string {
  if (typeof value === 'string') return value
  return formatArgument(value, 'v', noFlags(), budget)
}

/** fmt.Sprint: a space between two operands when neither is a string. */
export function sprint(values: readonly Value[], budget: Budget): string {
  let out = ''
  values.forEach((value, index) => {
    const previous = values[index - 1]
    if (index > 0 && typeof value !== 'string' && typeof previous !== 'string') out += ' '
    out += plain(value, budget)
  })
  return out
}

export function sprintln(values: readonly Value[], budget: Budget): string {
  return `${values.map((value) => plain(value, budget)).join(' ')}\n`
}

export function formatArgument(value: Value, verb: string, flags: Flags, budget: Budget): string {
  return printer(budget).argument(value, verb, flags)
}

function printer(budget: Budget) {
  let isErring = false

  function argument(value: Value, verb: string, flags: Flags): string {
    if (value === null)
      return verb === 'T' || verb === 'v' ? pad('<nil>', flags) : bad(value, verb, flags)
    if (verb === 'T') return pad(truncated(typeOf(value), flags), flags)
    if (verb === 'p') return bad(value, verb, flags)
    return whole(value, verb, flags, 0)
  }
  function whole(value: Value, verb: string, flags: Flags, depth: number): string {
    budget.spend(1)
    budget.nest(depth)
    if (value === null) return flags.sharpV ? 'interface {}(nil)' : '<nil>'
    const described =
      isErring || flags.sharpV || !/^[vsxXq]$/.test(verb) ? undefined : stringOf(value)
    if (described !== undefined) return text(described, value, verb, flags)
    switch (basicKind(value)) {
      case 'bool':
        return verb === 't' || verb === 'v'
          ? pad(value === true ? 'true' : 'false', flags)
          : bad(value, verb, flags)
      case 'float':
        return typeof value === 'number' ? float(value, value, verb, flags) : ''
      case 'string':
        return typeof value === 'string' ? text(value, value, verb, flags) : ''
      case 'int':
      case 'uint':
        return integer(value, verb, flags)
      case 'complex':
      case undefined:
        return composite(value, verb, flags, depth)
    }
  }
  function composite(value: Value, verb: string, flags: Flags, depth: number): string {
    if (typeof value !== 'object' || value === null) return bad(value, verb, flags)
    switch (value.kind) {
      case 'complex': {
        if (!/^[vbgGxXfFeE]$/.test(verb)) return bad(value, verb, flags)
        const imaginary = float(value, value.imaginary, verb, { ...flags, plus: true })
        return `(${float(value, value.real, verb, flags)}${imaginary}i)`
      }
      case 'list': {
        const bytes = /^[sxXq]$/.test(verb) ? bytesText(value) : undefined
        if (bytes !== undefined) return text(bytes, value, verb, flags)
        const items = () => value.items.map((item) => whole(item, verb, flags, depth + 1))
        if (!flags.sharpV) return `[${items().join(' ')}]`
        return value.isNil ? `${value.type}(nil)` : `${value.type}{${items().join(', ')}}`
      }
      case 'dict': {
        const entries = () =>
          sortedKeys(value).map((key) => {
            const held = value.entries.get(key) ?? null
            return `${text(key, key, verb, flags)}:${whole(held, verb, flags, depth + 1)}`
          })
        if (!flags.sharpV) return `map[${entries().join(' ')}]`
        return value.isNil ? `${value.type}(nil)` : `${value.type}{${entries().join(', ')}}`
      }
      case 'struct': {
        const named = flags.plusV || flags.sharpV
        const fields = [...value.fields].map(
          ([name, held]) => (named ? `${name}:` : '') + whole(held, verb, flags, depth + 1),
        )
        return flags.sharpV ? `${value.type}{${fields.join(', ')}}` : `{${fields.join(' ')}}`
      }
      case 'sized':
      case 'time':
      case 'semver':
        return text(stringOf(value) ?? '', value, flags.sharpV ? 'v' : verb, {
          ...flags,
          sharpV: false,
        })
    }
  }
  function text(shown: string, value: Value, verb: string, flags: Flags): string {
    switch (verb) {
      case 'v':
        return flags.sharpV ? quotedText(shown, flags) : pad(truncated(shown, flags), flags)
      case 's':
        return pad(truncated(shown, flags), flags)
      case 'x':
      case 'X':
        return hexText(shown, flags, verb === 'X')
      case 'q':
        return quotedText(shown, flags)
      default:
        return bad(value, verb, flags)
    }
  }
  function float(value: Value, number: number, verb: string, flags: Flags): string {
    switch (verb) {
      case 'v':
        return floatText(number, 'g', -1, flags)
      case 'b':
      case 'g':
      case 'G':
      case 'x':
      case 'X':
        return floatText(number, verb, -1, flags)
      case 'f':
      case 'F':
      case 'e':
      case 'E':
        return floatText(number, verb === 'F' ? 'f' : verb, 6, flags)
      default:
        return bad(value, verb, flags)
    }
  }
  function integer(value: Value, verb: string, flags: Flags): string {
    const number = typeof value === 'bigint' ? value : isSized(value) ? value.value : 0n
    switch (verb) {
      case 'v':
        if (!flags.sharpV || basicKind(value) === 'int') return integerText(number, 10, verb, flags)
        return integerText(number, 16, 'v', { ...flags, sharp: true })
      case 'd':
        return integerText(number, 10, verb, flags)
      case 'b':
        return integerText(number, 2, verb, flags)
      case 'o':
      case 'O':
        return integerText(number, 8, verb, flags)
      case 'x':
      case 'X':
        return integerText(number, 16, verb, flags)
      case 'c':
        return characterText(number, flags)
      case 'q':
        return quotedCharacter(number, flags)
      case 'U':
        return unicodeText(number, flags)
      default:
        return bad(value, verb, flags)
    }
  }
  function bad(value: Value, verb: string, flags: Flags): string {
    if (value === null) return `%!${verb}(<nil>)`
    const before = isErring
    isErring = true
    const shown = argument(value, 'v', flags)
    isErring = before
    return `%!${verb}(${typeOf(value)}=${shown})`
  }
  return { argument }
}

function isSized(value: Value): value is Extract<Value, { kind: 'sized' }> {
  return typeof value === 'object' && value !== null && value.kind === 'sized'
}
