/** Which applications a caller may see and change: by patterns over their keys, matched without any regular expression. */
import type { AppStatus, Service, SourceStatus } from '#model/service.ts'
import type { Caller } from './caller.ts'
import { forbidden } from './refusals.ts'

/**
 * `stack:web-*`, `chart:staging/*`, `web-*` for a name of any kind, or `label:team=web` for what its operator says of it.
 * `*` stands for any letters, `?` for one.
 */
export function matchesApp(
  pattern: string,
  key: string,
  labels: Readonly<Record<string, string>> = {},
): boolean {
  if (pattern.startsWith(labelled)) return hasLabel(pattern.slice(labelled.length), labels)
  if (pattern.includes(':')) return matches(pattern, key)
  const name = key.slice(key.indexOf(':') + 1)
  return matches(pattern, name) || matches(pattern, name.slice(name.lastIndexOf('/') + 1))
}

const labelled = 'label:'

export function goesByLabels({ apps = [], changes = [] }: Caller): boolean {
  return [...apps, ...changes].some((pattern) => pattern.startsWith(labelled))
}

/** Without a value the label itself is enough. */
function hasLabel(wanted: string, labels: Readonly<Record<string, string>>): boolean {
  const equals = wanted.indexOf('=')
  const name = equals === -1 ? wanted : wanted.slice(0, equals)
  const value = Object.hasOwn(labels, name) ? labels[name] : undefined
  return value !== undefined && (equals === -1 || matches(wanted.slice(equals + 1), value))
}

export function mayUse(caller: Caller, key: string): boolean {
  return isAmong(caller, caller.apps, key)
}

/** Whether one of these patterns means the application. */
export function isAmong(
  { labelsOf }: Caller,
  patterns: readonly string[] | undefined,
  key: string,
): boolean {
  if (patterns === undefined) return true
  return patterns.some((pattern) => matchesApp(pattern, key, labelsOf?.(key)))
}

/** A caller without a binding sees every application. */
export function isWhole({ apps }: Caller): boolean {
  return apps === undefined
}

export function checkApp(caller: Caller, key: string): void {
  if (mayUse(caller, key)) return
  throw forbidden(
    `this token is bound to ${(caller.apps ?? []).join(', ')} and may not use ${key}`,
    'use a token that is bound to it, or to none',
  )
}

export function checkWhole(caller: Caller, what: string): void {
  if (isWhole(caller)) return
  throw forbidden(
    `this token is bound to ${(caller.apps ?? []).join(', ')}, and ${what} concerns all applications`,
    'use a token that is bound to none',
  )
}

export function visibleApps(service: Service, caller: Caller): readonly AppStatus[] {
  const all = service.apps()
  return isWhole(caller) ? all : all.filter(({ key }) => mayUse(caller, key))
}

/** Only those that an application comes from which the caller may see. */
export function visibleSources(service: Service, caller: Caller): readonly SourceStatus[] {
  const all = service.sources()
  if (isWhole(caller)) return all
  const used = new Set(visibleApps(service, caller).map(({ source }) => sourceKey(source)))
  return all.filter((source) => used.has(sourceKey(source)))
}

export function sourceKey({
  shown,
  ref,
}: {
  readonly shown: string
  readonly ref: string
}): string {
  return `source ${shown} ${ref}`
}

/** Linear in the text for each star: after a mismatch only the last star is tried again. */
function matches(pattern: string, text: string): boolean {
  let [at, position, star, resume] = [0, 0, -1, 0]
  while (position < text.length) {
    const letter = pattern[at]
    if (letter === '*') {
      star = at
      at += 1
      resume = position
    } else if (letter !== undefined && (letter === '?' || letter === text[position])) {
      at += 1
      position += 1
    } else if (star >= 0) {
      resume += 1
      position = resume
      at = star + 1
    } else return false
  }
  while (pattern[at] === '*') at += 1
  return at === pattern.length
}
