/** The rules that many keys share. */
import type { MapRule, Rule } from './check.ts'

export const text: Rule = { text: {} }
export const flag: Rule = { flag: true }
export const flagOrText: Rule = { flag: true, text: {} }
export const numberOrText: Rule = { number: {}, text: {} }
export const wholeOrText: Rule = { whole: {}, text: {} }

/** The names of services, networks, volumes and their like. */
export const resourceName = /^[a-zA-Z0-9._-]+$/

export function oneOf(...values: readonly string[]): Rule {
  return { text: { values } }
}

export function listOf(items: Rule): Rule {
  return { list: { items } }
}

export function setOf(items: Rule): Rule {
  return { list: { items, isUnique: true } }
}

export const texts: Rule = listOf(text)
export const textSet: Rule = setOf(text)
export const textOrSet: Rule = { ...text, ...textSet }
export const textOrList: Rule = { ...text, ...texts }

/** A mapping with these keys and `x-…`. */
export function record(keys: Readonly<Record<string, Rule>>, more: MapRule = {}): Rule {
  return { map: { keys, hasExtensions: true, ...more } }
}

/** The same without `x-…`. */
export function closed(
  keys: Readonly<Record<string, Rule>>,
  required: readonly string[] = [],
): Rule {
  return { map: { keys, required } }
}

/** Any keys, all with the same kind of value. */
export function dictionary(rule: Rule): Rule {
  return { map: { others: { like: /./, rule } } }
}

/** As above, but what has an unfit key is let through. */
export function looseDictionary(like: RegExp, rule: Rule): Rule {
  return { map: { others: { like, rule }, isOpen: true } }
}

export function orNull(rule: Rule): Rule {
  return { ...rule, null: true }
}

const scalar: Rule = { text: {}, number: {}, flag: true, null: true }

/** Labels, variables: a mapping of scalars or a list of `key=value`. */
export const pairs: Rule = { ...dictionary(scalar), ...textSet }
export const hosts: Rule = { ...dictionary(textOrList), ...textSet }
export const driverOptions: Rule = looseDictionary(/^.+$/, numberOrText)
export const command: Rule = { null: true, ...textOrList }

export const external: Rule = { ...flagOrText, ...record({ name: text }) }

/** For configs and secrets any key goes beside the name. */
export const looseExternal: Rule = { ...flagOrText, map: { keys: { name: text }, isOpen: true } }

const option: Rule = { text: {}, number: {}, flag: true }
export const multiOptions: Rule = looseDictionary(/^.+$/, { ...option, ...listOf(option) })

export const ulimit: Rule = {
  ...wholeOrText,
  ...record({ hard: wholeOrText, soft: wholeOrText }, { required: ['soft', 'hard'] }),
}
