/** Builds operations, so that each says in words and as a command what it does. */
import { operationOf, type Wording } from '#domains/containers/operation.ts'
import type { Expansion } from '#model/domain.ts'
import { hashOf, isRecord } from '#model/json.ts'
import type { Operation } from '#model/plan.ts'
import { isLater, isSealed, mapValue, settled, type Value } from '#model/value.ts'
import { identityLabels } from '../labels.ts'

export type Verb =
  | 'image.pull'
  | 'container.rehearse'
  | 'container.create'
  | 'container.start'
  | 'container.restart'
  | 'container.stop'
  | 'container.rename'
  | 'container.remove'
  | 'container.unpause'
  | 'container.drain'
  | 'network.create'
  | 'network.remove'
  | 'network.connect'
  | 'network.disconnect'
  | 'network.unname'
  | 'volume.create'
  | 'volume.remove'
  | 'path.create'
  | 'secret.create'
  | 'secret.remove'
  | 'pod.create'
  | 'pod.stop'
  | 'pod.remove'

export function operation(wording: Wording<Verb>): Operation {
  return operationOf(wording)
}

/** The spec as it goes on the object: secrets as salted hashes; what others yield is filled in when it is known. */
export function recordedSpecOf({ wanted, vault }: Expansion): Value {
  return mapValue(wanted?.spec ?? null, (leaf) =>
    isSealed(leaf) ? { digest: vault.digest(leaf) } : leaf,
  )
}

export function labelsFor({ identity, ref, wanted }: Expansion): Readonly<Record<string, Value>> {
  return {
    ...userLabels(wanted?.spec ?? null),
    ...identityLabels(identity, ref, wanted?.needs ?? []),
  }
}

/** Six characters that stand for what is made, and differ from those of what stands there under `taken`. */
export function shortHashOf(expansion: Expansion, taken: readonly string[] = []): string {
  const record = settled(
    mapValue(recordedSpecOf(expansion), (leaf) =>
      isLater(leaf) ? `${leaf.from} ${leaf.output}` : null,
    ),
  )
  const suffix = (round: number): string => hashOf([record, round]).slice(0, 6)
  let round = 0
  while (taken.some((name) => name.endsWith(`-${suffix(round)}`))) round += 1
  return suffix(round)
}

/** One that holds a secret is opened when the engine is told. */
function userLabels(spec: Value): Readonly<Record<string, Value>> {
  if (isSealed(spec) || isLater(spec) || !isRecord<Value>(spec)) return {}
  const { labels } = spec
  if (!isRecord<Value>(labels)) return {}
  const entries = Object.entries(labels)
  return Object.fromEntries(
    entries.filter(([, value]) => typeof value === 'string' || isSealed(value)),
  )
}
