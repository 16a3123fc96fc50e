/** Builds operations, so that each says in words and as a command what it does. */
import type { Labels } from '#engine/record.ts'
import type { Expansion } from '#model/domain.ts'
import { hashOf, isRecord } from '#model/json.ts'
import type { Group, Operation } from '#model/plan.ts'
import { isLater, isSealed, mapValue, settled, type Value } from '#model/value.ts'
import { identityLabels } from '../labels.ts'

export type Verb =
  | 'image.pull'
  | 'container.rehearse'
  | 'container.create'
  | 'container.start'
  | 'container.stop'
  | 'container.rename'
  | 'container.remove'
  | 'container.unpause'
  | 'network.create'
  | 'network.remove'
  | 'network.connect'
  | 'network.disconnect'
  | 'volume.create'
  | 'volume.remove'
  | 'path.create'
  | 'secret.create'
  | 'secret.remove'
  | 'pod.create'
  | 'pod.stop'
  | 'pod.remove'

export type Wording = {
  readonly id: string
  readonly verb: Verb
  readonly payload: Value
  readonly words: string
  readonly command: string
  readonly after?: readonly string[]
  readonly disrupts?: boolean
}

export function operation(wording: Wording): Operation {
  return { after: [], disrupts: false, ...wording }
}

/** A group without anything to do yet. */
export function emptyGroup(expansion: Expansion): Group {
  const { ref, step, cause, changes, wanted } = expansion
  return {
    ref,
    step,
    cause,
    changes,
    needs: wanted?.needs ?? [],
    prepare: [],
    make: [],
    gate: 'none',
    subject: null,
    undo: [],
    finish: [],
  }
}

/** The spec as it goes on the object: secrets as salted hashes; what others yield is filled in when it is known. */
export function recordOf({ wanted, vault }: Expansion): Value {
  return mapValue(wanted?.spec ?? null, (leaf) =>
    isSealed(leaf) ? { digest: vault.digest(leaf) } : leaf,
  )
}

export function labelsFor({ identity, ref, wanted }: Expansion): Labels {
  return {
    ...userLabels(wanted?.spec ?? null),
    ...identityLabels(identity, ref, wanted?.needs ?? []),
  }
}

/** Six characters that stand for what is made, and differ from those of what stands there under `taken`. */
export function sixFor(expansion: Expansion, taken: readonly string[] = []): string {
  const record = settled(
    mapValue(recordOf(expansion), (leaf) => (isLater(leaf) ? `${leaf.from} ${leaf.output}` : null)),
  )
  const suffix = (round: number): string => hashOf([record, round]).slice(0, 6)
  let round = 0
  while (taken.some((name) => name.endsWith(`-${suffix(round)}`))) round += 1
  return suffix(round)
}

function userLabels(spec: Value): Labels {
  if (isSealed(spec) || isLater(spec) || !isRecord<Value>(spec)) return {}
  const { labels } = spec
  if (!isRecord<Value>(labels)) return {}
  const entries = Object.entries(labels)
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
