/** Secrets: an object for each key; a generation is all objects of one record. */
import { spareText } from '#domains/containers/live-state.ts'
import type { ListedSecret } from '#clients/podman/secrets.ts'
import { recordedOf } from '#domains/containers/record.ts'
import { isRecord, type Json } from '#model/json.ts'
import type { Ref } from '#model/ref.ts'
import type { Present } from '#model/resource.ts'
import { label } from '../labels.ts'
import { type LiveSecret } from '../live-state.ts'
import { isSeen } from './all.ts'
import { ownByRef } from '#domains/containers/observe/own.ts'
import type { View } from './observe.ts'
import { knownNames } from '../expand/object-names.ts'
import { isSecretSpec } from '../spec-of.ts'
import { defined } from '#model/defined.ts'

export function observeSecrets({ lists, owner }: View): ReadonlyMap<Ref, Present> {
  const found = new Map<Ref, Present>()
  if (!isSeen(lists.secrets)) return found
  for (const [ref, own] of ownByRef(lists.secrets, owner)) found.set(ref, present(own))
  return found
}

type Generation = {
  readonly objects: ReadonlyMap<string, ListedSecret>
  readonly missing: readonly string[]
  /** All its keys are there, as far as a readable record tells. */
  readonly isWhole: boolean
  readonly newest: string
}

/** The newest complete generation is the one; of a killed run's half-made one the objects are spares. */
function present(own: readonly ListedSecret[]): Present {
  const generations = Object.values(Object.groupBy(own, generationOf))
    .map((secrets) => generation(secrets ?? []))
    .toSorted((one, other) => {
      const [left, right] = [one.isWhole ? 0 : 1, other.isWhole ? 0 : 1]
      return left - right || (one.newest < other.newest ? 1 : -1)
    })
  const { objects, missing } = defined(generations[0])
  const used = new Set([...objects.values()].map(({ id }) => id))
  const names = [...objects].map(([key, { name }]) => [key, name] as const)
  const [any] = objects.values()
  const recorded = any === undefined ? undefined : recordedOf(any.labels)
  const spec = recorded?.spec ?? null
  return {
    kind: 'present',
    recorded,
    // what is missing will have the name that its users know it by: they need not be made anew
    outputs: {
      ...(isSecretSpec(spec) ? knownNames(spec, Object.fromEntries(names)) : {}),
      ...Object.fromEntries(names),
    },
    live: { objects: Object.fromEntries(names), missing } satisfies LiveSecret,
    spares: own
      .filter(({ id }) => !used.has(id))
      .map(({ id, name }) => spareText({ id, name, state: 'made' })),
  }
}

/** Twice the same record can stand beside itself: what they are called tells them apart. */
function generationOf({ name, labels }: ListedSecret): string {
  const suffix = /-[0-9a-f]{6}$/.exec(name)?.[0] ?? ''
  return `${labels[label.hash] ?? ''} ${suffix}`
}

function generation(secrets: readonly ListedSecret[]): Generation {
  const objects = new Map(secrets.map((secret) => [secret.labels[label.key] ?? '', secret]))
  const spec = recordedOf(secrets[0]?.labels ?? {})?.spec
  const keys = isRecord<Json>(spec) && isRecord<Json>(spec['keys']) ? Object.keys(spec['keys']) : []
  const missing = keys.filter((key) => !objects.has(key))
  return {
    objects,
    missing,
    isWhole: spec !== undefined && missing.length === 0,
    newest:
      secrets
        .map(({ createdAt }) => createdAt)
        .toSorted()
        .at(-1) ?? '',
  }
}
