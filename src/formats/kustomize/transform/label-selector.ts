/** Label selectors as Kubernetes writes them: `app=web,tier in (a, b),!old`. */
import { fail } from '../error.ts'
import { defined } from '#model/defined.ts'

type Requirement = (labels: ReadonlyMap<string, string>) => boolean

/** Tells whether labels fit; an empty selector fits all. */
export function labelSelector(text: string): Requirement {
  const scan = { text, rest: text.trim() }
  const requirements: Requirement[] = []
  while (scan.rest !== '') {
    requirements.push(requirement(scan))
    if (scan.rest === '') break
    if (!scan.rest.startsWith(',')) refuse(scan)
    scan.rest = scan.rest.slice(1).trimStart()
    if (scan.rest === '') refuse(scan)
  }
  return (labels) => requirements.every((one) => one(labels))
}

type Scan = { readonly text: string; rest: string }

function requirement(scan: Scan): Requirement {
  const isAbsent = take(scan, /^!/) !== undefined
  const key = take(scan, /^[^\s,()=!<>]+/) ?? refuse(scan)
  if (!isKey(key)) refuse(scan)
  if (isAbsent) return (labels) => !labels.has(key)
  if (scan.rest === '' || scan.rest.startsWith(',')) return (labels) => labels.has(key)
  const operator = take(scan, /^(?:==|=|!=|>|<|in(?=[\s(])|notin(?=[\s(]))/) ?? refuse(scan)
  if (operator === 'in' || operator === 'notin') {
    const values = new Set(valuesIn(scan))
    return operator === 'in'
      ? (labels) => labels.has(key) && values.has(defined(labels.get(key)))
      : (labels) => !labels.has(key) || !values.has(defined(labels.get(key)))
  }
  const value = take(scan, /^[^\s,()=!<>]+/) ?? ''
  if (!isValue(value)) refuse(scan)
  if (operator === '>' || operator === '<') return compared(scan, key, operator, value)
  if (operator === '!=') return (labels) => labels.get(key) !== value
  return (labels) => labels.get(key) === value
}

function valuesIn(scan: Scan): string[] {
  if (take(scan, /^\(/) === undefined) refuse(scan)
  const inner = take(scan, /^[^()]*(?=\))/) ?? refuse(scan)
  take(scan, /^\)/)
  const values = inner.split(',').map((value) => value.trim())
  if (!values.every(isValue)) refuse(scan)
  return values
}

function compared(scan: Scan, key: string, operator: string, value: string): Requirement {
  if (!/^[-+]?\d+$/.test(value)) refuse(scan)
  const limit = Number(value)
  return (labels) => {
    const found = labels.get(key)
    if (found === undefined || !/^[-+]?\d+$/.test(found)) return false
    return operator === '>' ? Number(found) > limit : Number(found) < limit
  }
}

function take(scan: Scan, pattern: RegExp): string | undefined {
  const found = pattern.exec(scan.rest)?.[0]
  if (found === undefined) return undefined
  scan.rest = scan.rest.slice(found.length).trimStart()
  return found
}

const name = /^(?=.{1,63}$)[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/
const domain =
  /^(?=.{1,253}$)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/

function isKey(key: string): boolean {
  const parts = key.split('/')
  if (parts.length > 2) return false
  return name.test(defined(parts.at(-1))) && (parts.length === 1 || domain.test(defined(parts[0])))
}

function isValue(value: string): boolean {
  return value === '' || name.test(value)
}

function refuse(scan: Scan): never {
  return fail(`${JSON.stringify(scan.text)} is no label selector`)
}
