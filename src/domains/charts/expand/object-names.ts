/** How objects are called in Podman, beside their plain names. */
import { createHash } from 'node:crypto'
import type { SecretSpec } from '../spec.ts'

/** Podman's limit for the names of secrets. */
const longest = 64

/**
 * One object for each key: Podman's secrets hold one value. A single key has the plain name; several are told apart behind
 * an underscore, which names of charts can't have.
 */
export function secretObjects(spec: SecretSpec, suffix?: string): Readonly<Record<string, string>> {
  const keys = Object.keys(spec.keys)
  const end = suffix === undefined ? '' : `-${suffix}`
  return Object.fromEntries(
    keys.map((key) => [
      key,
      fitting(keys.length === 1 ? spec.object : `${spec.object}_${key}`, end),
    ]),
  )
}

/** As the containers know them: by what the objects (by key) that are still there are called. */
export function knownNames(
  spec: SecretSpec,
  objects: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const plain = secretObjects(spec)
  const [entry] = Object.entries(objects)
  if (entry === undefined || plain[entry[0]] === entry[1]) return plain
  return secretObjects(spec, /[0-9a-f]{6}$/.exec(entry[1])?.[0])
}

/** Characters that Podman refuses, and what is too long, give way to six of the name's hash. */
function fitting(name: string, end: string): string {
  const isPlain = /^[a-zA-Z0-9][\w.-]*$/.test(name) && !/[.-]$/.test(name)
  if (isPlain && name.length + end.length <= longest) return name + end
  const hash = `-${sixOf(name)}`
  const clean = name.replace(/[^\w.-]/g, '-').replace(/^[^a-zA-Z0-9]+/, '')
  return clean.slice(0, longest - hash.length - end.length) + hash + end
}

function sixOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 6)
}

/** Of one that is only tried out. */
export function rehearsalName(object: string, hash: string): string {
  return `${object}-try-${hash}`
}
