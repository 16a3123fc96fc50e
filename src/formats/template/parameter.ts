/** A literal or a value against the type of the parameter it is for. */
import { rawType } from './library.ts'
import { nodeText, type Argument } from './nodes.ts'
import type { Numeral } from './numeral.ts'
import { anyType, box, nilDict, nilList, sized, typeOf, unbox, type Operand } from './values.ts'

type Literal = Extract<Argument, { kind: 'bool' | 'number' | 'string' }>
type Stop = (message: string) => never

/** undefined is the type of what may be anything. */
export function literal(node: Literal, type: string | undefined, stop: Stop): Operand {
  const number = node.kind === 'number' ? node.numeral : undefined
  if (type === undefined || type === anyType || type === rawType) {
    if (number !== undefined) return constant(number, stop)
    return node.kind === 'string' ? node.text : node.kind === 'bool' ? node.value : undefined
  }
  const expected = (what: string) => stop(`expected ${what}; found ${nodeText(node)}`)
  if (type === 'bool') return node.kind === 'bool' ? node.value : expected('bool')
  if (type === 'string') return node.kind === 'string' ? node.text : expected('string')
  if (type === 'float64') return number?.float ?? expected('float')
  if (type === 'int') return number?.int ?? expected('integer')
  if (type === 'time.Duration') return sized(type, number?.int ?? expected('integer'))
  if (type === 'uint32')
    return sized(type, BigInt.asUintN(32, number?.uint ?? expected('unsigned integer')))
  return stop(`can't handle ${nodeText(node)} for arg of type ${type}`)
}

/** The type that a number has by its looks alone. */
function constant({ text, complex, float, int }: Numeral, stop: Stop): Operand {
  if (complex !== undefined) return { kind: 'complex', ...complex }
  const isHex = /^0[xX]./.test(text) && !/[pP]/.test(text)
  if (float !== undefined && !isHex && text[0] !== "'" && /[.eEpP]/.test(text)) return float
  return int ?? stop(`${text} overflows int`)
}

export function validated(value: Operand, type: string | undefined, stop: Stop): Operand {
  if (value === undefined) {
    if (type === undefined) return undefined
    return canBeNil(type) ? zero(type) : stop(`invalid value; expected ${type}`)
  }
  if (type === undefined || type === rawType || type === anyType) return value
  const held = unbox(value)
  const found = held === null ? anyType : typeOf(held)
  if (found === type) return held
  return stop(`wrong type for value; expected ${type}; got ${found}`)
}

export function canBeNil(type: string): boolean {
  return type === anyType || type === rawType || /^(?:map\[|\[\]|\*)/.test(type)
}

/** Go's zero value of a type that a template can meet. */
export function zero(type: string): Operand {
  if (type === anyType) return box(null)
  if (type.startsWith('map[')) return nilDict(type)
  if (type.startsWith('[]')) return nilList(type)
  return type === 'string' ? '' : undefined
}
