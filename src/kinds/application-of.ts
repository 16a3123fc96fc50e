/** What the key of an application says. */
import { allKinds } from './all.ts'
import type { Application } from '#model/application.ts'

/** `stack:web`, `chart:staging/web`. */
export function applicationOf(key: string): Application | undefined {
  const [, kind, , namespace, name] = /^([^:/]+):(([^/]+)\/)?(.+)$/.exec(key) ?? []
  if (kind === undefined || name === undefined) return undefined
  if (!allKinds.some((one) => one.name === kind)) return undefined
  return { kind, namespace: namespace ?? null, name }
}
