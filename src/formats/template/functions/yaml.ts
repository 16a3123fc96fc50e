/** Helm's YAML functions. */
import type { Budget } from '../budget.ts'
import { GoError } from '../errors.ts'
import { anything, takes1, text, type Func } from '../library.ts'
import { dict, list, type Value } from '../values.ts'
import { readYaml } from '../yaml/read.ts'
import { yamlTree } from '../yaml/tree.ts'
import { writeYaml } from '../yaml/write.ts'
import { asDict, asList, dictOrError, listOrError } from './json.ts'

export const yamlFunctions: Readonly<Record<string, Func>> = {
  toYaml: takes1(anything, ({ budget }, value) => yamlOf(value, budget)),
  mustToYaml: takes1(anything, ({ budget }, value) => {
    return writeYaml(yamlTree(value, 2, budget), 2, budget).replace(/\n$/, '')
  }),
  toYamlPretty: takes1(anything, ({ budget }, value) => {
    return writeYaml(yamlTree(value, 3, budget), 3, budget).replace(/\n$/, '')
  }),
  fromYaml: takes1(text, ({ budget }, yaml) => {
    return dictOrError(() => decoded(readYaml(yaml, budget) ?? dict(new Map()), asDict))
  }),
  fromYamlArray: takes1(text, ({ budget }, yaml) => {
    return listOrError(() => decoded(readYaml(yaml, budget) ?? list([]), asList))
  }),
}

/** As Helm's toYaml: what can't be written is an empty text. */
export function yamlOf(value: Value, budget: Budget): string {
  try {
    return writeYaml(yamlTree(value, 2, budget), 2, budget).replace(/\n$/, '')
  } catch (error) {
    if (error instanceof GoError) return ''
    throw error
  }
}

/** YAML goes by way of JSON, and the error says so; a document of nothing leaves the data empty. */
function decoded<T>(value: Value, take: (value: Value) => T): T {
  try {
    return take(value)
  } catch (error) {
    if (!(error instanceof GoError)) throw error
    throw new GoError(`error unmarshaling JSON: while decoding JSON: ${error.text}`)
  }
}
