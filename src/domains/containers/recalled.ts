/** Which application an object belongs to, read from its labels alone. */
import type { Recalled } from '#model/application.ts'
import { recordLabel, sinceOf, type Labels } from './record.ts'

/** Undefined when it is not of this instance, or of another kind. `version`: what its labels say of it. */
export function recalledFrom(
  labels: Labels,
  instance: string,
  kind: Recalled['application']['kind'],
  version: string | undefined,
): Recalled | undefined {
  const owner = labels[recordLabel.owner] ?? ''
  const prefix = `${instance}:${kind}:`
  const since = sinceOf(labels)
  if (!owner.startsWith(prefix) || since === undefined) return undefined
  const key = owner.slice(prefix.length)
  const slash = key.indexOf('/')
  const namespace = slash < 0 ? null : key.slice(0, slash)
  const application = { kind, namespace, name: key.slice(slash + 1) }
  return { application, since, version: version ?? '' }
}
