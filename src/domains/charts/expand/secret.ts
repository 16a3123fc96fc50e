/** Secrets: never changed, always made anew beside the old ones, which go when nobody uses them any more. */
import { spareOf } from '#domains/containers/live-state.ts'
import { emptyGroup } from '#engine/plan/empty-group.ts'
import type { Expansion } from '#model/domain.ts'
import type { Group, Operation } from '#model/plan.ts'
import { labelsFor, operation, recordedSpecOf, shortHashOf } from './operation.ts'
import { label } from '../labels.ts'
import { liveSecret } from '../live-state.ts'
import { knownNames, secretObjects } from './object-names.ts'
import type { SecretSpec } from '../spec.ts'
import { secretSpecOf } from '../spec-of.ts'
import { defined } from '#model/defined.ts'

export function expandSecret(expansion: Expansion): Group {
  const { step, wanted, seen } = expansion
  const group = emptyGroup(expansion)
  const live = seen.kind === 'present' ? liveSecret(seen.live) : undefined
  const spares = seen.kind === 'present' ? seen.spares.map((spare) => spareOf(spare).name) : []
  const current = Object.values(live?.objects ?? {})
  if (step === 'delete' || wanted === undefined)
    return { ...group, finish: removals([...current, ...spares]) }
  const spec = secretSpecOf(wanted.spec)
  if (step === 'update') {
    const names = knownNames(spec, live?.objects ?? {})
    const missing = live?.missing ?? []
    return {
      ...group,
      make: missing.map((key) => createOperation(expansion, spec, key, defined(names[key]))),
      finish: removals(spares),
    }
  }
  const names = freeNames(expansion, spec, [...current, ...spares])
  const keys = Object.keys(spec.keys)
  return {
    ...group,
    make: keys.map((key) => createOperation(expansion, spec, key, defined(names[key]))),
    undo: keys.map((key) => removeOperation('take-back', defined(names[key]))),
    finish: removals(
      [...current, ...spares].filter((name) => !Object.values(names).includes(name)),
    ),
  }
}

/** The plain names where none of them is taken, else names that end in six of the hash. */
function freeNames(
  expansion: Expansion,
  spec: SecretSpec,
  taken: readonly string[],
): Readonly<Record<string, string>> {
  const plain = secretObjects(spec)
  if (!Object.values(plain).some((name) => taken.includes(name))) return plain
  return secretObjects(spec, shortHashOf(expansion, taken))
}

function createOperation(
  expansion: Expansion,
  spec: SecretSpec,
  key: string,
  name: string,
): Operation {
  return operation({
    id: `create-${key}`,
    verb: 'secret.create',
    payload: {
      name,
      key,
      content: defined(spec.keys[key]),
      record: recordedSpecOf(expansion),
      labels: { ...labelsFor(expansion), [label.key]: key },
    },
    words: `Creating secret ${name}`,
    command: `podman secret create ${name} -`,
  })
}

function removals(names: readonly string[]): readonly Operation[] {
  return names.map((name) => removeOperation('remove', name))
}

function removeOperation(id: string, name: string): Operation {
  return operation({
    id: `${id}-${name}`,
    verb: 'secret.remove',
    payload: { name },
    words: `Removing secret ${name}`,
    command: `podman secret rm ${name}`,
  })
}
