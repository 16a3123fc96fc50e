/** Texts of a spec that hold a secret: sealed from the render on, and opened when the engine is told. */
import { textOf } from '#model/read-json.ts'
import type { Context } from '#model/domain.ts'
import { isList, isRecord } from '#model/json.ts'
import { mask } from '#model/secret-shapes.ts'
import { isDigest, isLater, isSealed, mapValue, type Sealed, type Value } from '#model/value.ts'

/** Of the id of every such text: other sealed values are bytes, and opened by whoever uses them. */
export const textPrefix = 'text '

export function openedTexts(payload: Value, { open }: Pick<Context, 'open'>): Value {
  return mapValue(payload, (leaf) =>
    isSealed(leaf) && leaf.sealed.startsWith(textPrefix)
      ? Buffer.from(open(leaf)).toString('utf8')
      : leaf,
  )
}

/** For people. */
export function shownText(value: Value | undefined): string {
  return isSealed(value) || isDigest(value) ? mask : textOf(value)
}

/** The words of a command, for people. */
export function shownTexts(value: Value | undefined): readonly string[] {
  return isList<Value>(value) ? value.map(shownText) : []
}

/** Where in a spec texts may be sealed: they are texts for others, and decide nothing here. */
export type TextPlaces = readonly (readonly string[])[]

/** The spec with every text at these places sealed that is secret. */
export function withTextsSealed(
  spec: Value,
  places: TextPlaces,
  isSecret: (text: string) => boolean,
  seal: (place: string, text: string) => Sealed,
): Value {
  return places.reduce<Value>(
    (whole, place) => changedAt(whole, place, (part) => sealedIn(part, place.join('.'))),
    spec,
  )

  function sealedIn(value: Value, path: string): Value {
    if (typeof value === 'string') {
      return isSecret(value) ? seal(path, value) : value
    }
    if (isList<Value>(value)) return value.map((item, index) => sealedIn(item, `${path}.${index}`))
    if (!isRecord<Value>(value) || isSealed(value) || isLater(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, sealedIn(item, `${path}.${key}`)]),
    )
  }
}

function changedAt(value: Value, path: readonly string[], change: (part: Value) => Value): Value {
  const [first, ...rest] = path
  if (first === undefined) return change(value)
  if (!isRecord<Value>(value) || isSealed(value) || isLater(value)) return value
  const part = value[first]
  return part === undefined ? value : { ...value, [first]: changedAt(part, rest, change) }
}
