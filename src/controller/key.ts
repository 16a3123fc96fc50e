/** What the key of an application says. */
import type { Application } from '#model/application.ts'

/** `stack:web`, `chart:staging/web`. */
export function applicationOf(key: string): Application | undefined {
  const [, kind, , namespace, name] =
    /^(chart|stack|kustomization|fleet):(([^/]+)\/)?(.+)$/.exec(key) ?? []
  if (name === undefined) return undefined
  if (kind !== 'chart' && kind !== 'stack' && kind !== 'kustomization' && kind !== 'fleet')
    return undefined
  return { kind, namespace: namespace ?? null, name }
}
