/** Texts of a service that hold a secret: sealed from the render on, and opened when the engine is told. */
import { textOf } from '#clients/http/read.ts'
import type { Context } from '#model/domain.ts'
import { isList } from '#model/json.ts'
import { isDigest, isSealed, mapValue, type Value } from '#model/value.ts'

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
  return isSealed(value) || isDigest(value) ? '******' : textOf(value)
}

/** The words of a command, for people. */
export function shownTexts(value: Value | undefined): readonly string[] {
  return isList<Value>(value) ? value.map(shownText) : []
}
