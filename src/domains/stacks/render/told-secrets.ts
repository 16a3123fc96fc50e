/** Values of variables that look secret, wherever the files put them: they are sealed there as in `environment`. */
import { looksSecret } from '#model/looks-secret.ts'
import { isList, isRecord } from '#model/json.ts'
import { kindOf } from '#model/ref.ts'
import type { Resource } from '#model/resource.ts'
import { isLater, isSealed, type Value } from '#model/value.ts'
import { textPrefix } from '../sealed-text.ts'
import type { Finding } from './finding.ts'
import { seal, servicesOf, type Stage } from './stage.ts'

/** Parts of a spec that are texts for others, and decide nothing here. */
const places: Readonly<Record<string, readonly (readonly string[])[]>> = {
  container: [
    ['build', 'definition'],
    ['service', 'annotations'],
    ['service', 'command'],
    ['service', 'entrypoint'],
    ['service', 'environment'],
    ['service', 'extra_hosts'],
    ['service', 'healthcheck', 'test'],
    ['service', 'labels'],
    ['service', 'logging', 'options'],
    ['service', 'post_start'],
    ['service', 'pre_stop'],
    ['service', 'storage_opt'],
    ['service', 'sysctls'],
  ],
  volume: [['options'], ['labels']],
  network: [['labels']],
}

export function withSecretsSealed(stage: Stage, resource: Resource): Resource {
  const has = secretIn(stage)
  if (has === undefined) return resource
  const { ref } = resource
  let { spec } = resource
  for (const place of places[kindOf(ref)] ?? []) {
    spec = changedAt(spec, place, (part) => sealedIn(part, `${ref}.${place.join('.')}`))
  }
  return spec === resource.spec ? resource : { ...resource, spec }

  function sealedIn(value: Value, path: string): Value {
    if (typeof value === 'string') {
      return has!(value) ? seal(stage, `${textPrefix}${path}`, Buffer.from(value)) : value
    }
    if (isList<Value>(value)) return value.map((item, index) => sealedIn(item, `${path}.${index}`))
    if (!isRecord<Value>(value) || isSealed(value) || isLater(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, sealedIn(item, `${path}.${key}`)]),
    )
  }
}

/** Whether a text has the value of such a variable in it; undefined when none was asked for. */
export function secretIn({ loaded }: Stage): ((text: string) => boolean) | undefined {
  const secrets = [...loaded.used]
    .filter(([name, value]) => value !== '' && looksSecret(name, value))
    .map(([, value]) => value)
  if (secrets.length === 0) return undefined
  return (text) => secrets.some((secret) => holds(text, secret))
}

/** A short value stands by chance inside many a word: it counts only where it stands alone. */
function holds(text: string, secret: string): boolean {
  if (secret.length > 3) return text.includes(secret)
  return text === secret || text.split(/[^A-Za-z0-9]+/).includes(secret)
}

/** What is run before a container ends comes from the record on it, and that holds no secrets. */
export function unkeptFindings(stage: Stage): readonly Finding[] {
  const has = secretIn(stage)
  if (has === undefined) return []
  return servicesOf(stage).flatMap(([name, { pre_stop: hooks }]) => {
    if (hooks === undefined || !has(JSON.stringify(hooks))) return []
    const path = ['services', name, 'pre_stop']
    const message =
      'pre_stop has the value of a secret in it, which is not kept on the container, and is not run; give the variable in environment, and write $$NAME here'
    return [{ path, isError: false, code: 'unsupported', message }]
  })
}

function changedAt(value: Value, path: readonly string[], change: (part: Value) => Value): Value {
  const [first, ...rest] = path
  if (first === undefined) return change(value)
  if (!isRecord<Value>(value) || isSealed(value) || isLater(value)) return value
  const part = value[first]
  return part === undefined ? value : { ...value, [first]: changedAt(part, rest, change) }
}
