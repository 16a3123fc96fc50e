/** JSON in and out: Sprig's functions, and Helm's that never fail. */
import { GoError } from '../errors.ts'
import { kindOfJson, readJson } from '../json/read.ts'
import { writeJson, type JsonStyle } from '../json/write.ts'
import { anything, takes1, text, type Func } from '../library.ts'
import {
  anyList,
  anyMap,
  box,
  dict,
  list,
  nilDict,
  nilList,
  type Dict,
  type List,
  type Value,
} from '../values.ts'

const compact: JsonStyle = { isHtmlSafe: true }
const pretty: JsonStyle = { indent: 2, isHtmlSafe: true }
const rawStyle: JsonStyle = { isHtmlSafe: false }

export const jsonFunctions: Readonly<Record<string, Func>> = {
  toJson: lenient(compact),
  mustToJson: strict(compact),
  toPrettyJson: lenient(pretty),
  mustToPrettyJson: strict(pretty),
  toRawJson: strict(rawStyle),
  mustToRawJson: strict(rawStyle),
  mustFromJson: takes1(text, ({ budget }, json) => box(readJson(json, budget))),
  fromJson: takes1(text, ({ budget }, json) => dictOrError(() => asDict(readJson(json, budget)))),
  fromJsonArray: takes1(text, ({ budget }, json) =>
    listOrError(() => asList(readJson(json, budget))),
  ),
}

function strict(style: JsonStyle): Func {
  return takes1(anything, ({ budget }, value) => writeJson(value, style, budget))
}

function lenient(style: JsonStyle): Func {
  return takes1(anything, ({ budget }, value) => {
    try {
      return writeJson(value, style, budget)
    } catch (error) {
      if (error instanceof GoError) return ''
      throw error
    }
  })
}

/** A document that is null makes the variable nil. */
export function asDict(value: Value): Dict {
  if (value === null) return nilDict()
  if (typeof value === 'object' && value.kind === 'dict') return value
  throw new GoError(`json: cannot unmarshal ${kindOfJson(value)} into Go value of type ${anyMap}`)
}

export function asList(value: Value): List {
  if (value === null) return nilList()
  if (typeof value === 'object' && value.kind === 'list') return value
  throw new GoError(`json: cannot unmarshal ${kindOfJson(value)} into Go value of type ${anyList}`)
}

/** Helm's readers put the error where the data would be. */
export function dictOrError(read: () => Dict): Dict {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof GoError)) throw error
    return dict(new Map([['Error', error.text]]))
  }
}

export function listOrError(read: () => List): List {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof GoError)) throw error
    return list([error.text])
  }
}
