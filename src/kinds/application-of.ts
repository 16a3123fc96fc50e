/** Reads the key of an application. */
import { allKinds } from './all.ts'
import type { Application } from '#model/application.ts'

/** Reads keys such as `stack:web` and `chart:staging/web`; undefined: the text is no key. */
export function applicationOf(key: string): Application | undefined {
  const [, kind, , namespace, name] = /^([^:/]+):(([^/]+)\/)?(.+)$/.exec(key) ?? []
  if (kind === undefined || name === undefined) return undefined
  if (!allKinds.some((one) => one.name === kind)) return undefined
  return { kind, namespace: namespace ?? null, name }
}
