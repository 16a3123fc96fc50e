/** What somebody is told: an application keeps failing, or is well again. */
import { isUnwell, type AppStatus } from '#model/service.ts'
import type { Json } from '#model/json.ts'
import { isList, isRecord } from '#model/json.ts'

export type Alert = {
  /** The same however often it is sent. */
  readonly id: string
  readonly type: 'failing' | 'recovered'
  /** `stack:web` */
  readonly app: string
  readonly instance: string
  readonly reason: string
  readonly failures: number
  /** When it began to fail, ms. */
  readonly since: number
  readonly at: number
  readonly revision: string
  readonly message: string
  readonly source: string
  readonly target: string
  /** The last lines that it wrote. */
  readonly details: readonly string[]
}

export function alertOf(
  type: Alert['type'],
  status: AppStatus,
  { since, failures }: { readonly since: number; readonly failures: number },
  instance: string,
  at: number,
): Alert {
  const version = status.desired ?? status.synced
  const problem = status.lastRun?.problem?.message ?? ''
  const isOfHealth = status.state !== 'failed' && isUnwell(status)
  const why = isOfHealth ? status.health.reason : status.reason || problem
  const { shown, path } = status.source
  return {
    id: `${type}-${since}-${status.key}`,
    type,
    app: status.key,
    instance,
    reason: type === 'recovered' ? '' : cut(why, 1000),
    failures,
    since,
    at,
    revision: version?.revision ?? '',
    message: cut(version?.message ?? '', 200),
    source: path === '' ? shown : `${shown} ${path}`,
    target: status.target,
    details: type === 'recovered' ? [] : linesIn(status.health.details ?? []),
  }
}

const [mostLines, longestLine] = [10, 200]

function linesIn(lines: readonly string[]): readonly string[] {
  return lines.slice(-mostLines).map((line) => cut(line, longestLine))
}

export function titleOf({ type, app, instance }: Alert): string {
  return `${app} ${type === 'failing' ? 'keeps failing' : 'is well again'} (${instance})`
}

/** Plain lines, the reason first. */
export function linesOf(alert: Alert): readonly string[] {
  const { type, reason, failures, since, at, revision, message, source, target, details } = alert
  const span = spanText(at - since)
  const times = failures === 1 ? 'once' : `${failures} times in a row`
  return [
    ...(reason === '' ? [] : [reason]),
    type === 'failing' ? `Failed ${times}, for ${span}.` : `It had been failing for ${span}.`,
    ...(revision === '' ? [] : [`Revision: ${revision.slice(0, 12)} ${message}`.trim()]),
    `Source: ${source}`,
    ...(target === '' ? [] : [`Target: ${target}`]),
    ...(details.length === 0 ? [] : ['Its last lines:', ...details.map((line) => `  ${line}`)]),
  ]
}

function spanText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 120) return `${minutes} min`
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} days`
}

/** As a note keeps it; undefined for what is none. */
export function alertFrom(note: Json | undefined): Alert | undefined {
  if (!isRecord<Json>(note)) return undefined
  const text = (key: string) => (typeof note[key] === 'string' ? note[key] : '')
  const number = (key: string) => (typeof note[key] === 'number' ? note[key] : 0)
  const { type } = note
  if (type !== 'failing' && type !== 'recovered') return undefined
  return {
    id: text('id'),
    type,
    app: text('app'),
    instance: text('instance'),
    reason: text('reason'),
    failures: number('failures'),
    since: number('since'),
    at: number('at'),
    revision: text('revision'),
    message: text('message'),
    source: text('source'),
    target: text('target'),
    details: isList<Json>(note['details']) ? note['details'].filter(isText) : [],
  }
}

function isText(value: Json): value is string {
  return typeof value === 'string'
}

/** Never in the middle of a pair that is one character. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
