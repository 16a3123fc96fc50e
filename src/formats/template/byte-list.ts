/** Go's []byte: a list of numbers only for who wants numbers. */
import { sized, type List, type Value } from './values.ts'

type Bytes = List & { text(): string }

export function byteList(content: () => string): Bytes {
  let items: Value[] | undefined
  return {
    kind: 'list',
    type: '[]uint8',
    isNil: false,
    text: content,
    get items() {
      items ??= Array.from(content(), (letter) => sized('uint8', BigInt(letter.charCodeAt(0))))
      return items
    },
  }
}

/** The text of a []byte; undefined for every other value. */
export function bytesText(value: Value): string | undefined {
  return isBytes(value) ? value.text() : undefined
}

function isBytes(value: Value): value is Bytes {
  return typeof value === 'object' && value?.kind === 'list' && 'text' in value
}
