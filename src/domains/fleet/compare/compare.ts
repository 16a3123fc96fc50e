/** Whether what is there is what the table wants; if not, what differs and how it is mended. Pure. */
import { diffValue, knownLater } from '#engine/diff/diff.ts'
import type { Difference } from '#model/domain.ts'
import { isRecord, type Json } from '#model/json.ts'
import { shown, type Change } from '#model/plan.ts'
import { kindOf } from '#model/ref.ts'
import type { Present, Resource } from '#model/resource.ts'
import type { Vault } from '#model/vault.ts'
import { liveCluster, stateIn } from '../live-state.ts'

const same: Difference = { kind: 'same' }

export const leavingWords = 'its row says absent'
export const foundWords =
  'it was there before, and is kept as it is: clean leaves it, tend fleet adopt makes it ours'

/** What is done with a cluster that no longer matches its row: made anew, left to `verify` to tell, or refused aloud. */
export type Recreation = 'asked' | 'told later' | 'refused'

export function compare(
  wanted: Resource,
  seen: Present,
  vault: Vault,
  recreates: Recreation,
): Difference {
  switch (kindOf(wanted.ref)) {
    case 'cluster':
      return compareCluster(wanted, seen, vault, recreates)
    case 'row':
      return isRecord<Json>(seen.live) && seen.live['goes'] === true
        ? update('its cluster is gone')
        : same
    default:
      return compareRegistration(wanted, seen, vault)
  }
}

function compareCluster(
  wanted: Resource,
  seen: Present,
  vault: Vault,
  recreation: Recreation,
): Difference {
  const recreates = recreation === 'asked'
  const live = liveCluster(seen.live)
  const { health, why, phase, isMarked } = live
  const isLeaving = stateIn(wanted.spec) === 'absent'
  if (isLeaving) {
    const isStrange = phase === '' || phase === 'found'
    const words = isStrange ? `${leavingWords}, though Tend did not make it` : leavingWords
    if (stateIn(seen.recorded?.spec) !== 'absent') return update(words)
    return isMarked ? same : update('its row does not say yet that it is gone')
  }
  if (live.stranger !== '') return refused('name_taken', live.stranger)
  if (phase === 'making' && health !== 'ready') {
    return replace('a run that was cut short left it half made', [])
  }
  const changes = mismatchOf(wanted, seen, vault)
  if (live.missingPart !== '') {
    return recreates && phase !== 'found'
      ? replace(`${live.missingPart} was removed`, changes)
      : refused('gone', missingWords(live.missingPart, phase))
  }
  // one that nobody said to be ours is not taken away
  if (changes.length > 0 && recreates && phase !== 'found')
    return replace('it no longer matches its row', changes)
  if (health === 'stopped' || health === 'down') return update(why)
  if (changes.length > 0 && recreation === 'refused' && health === 'ready') {
    return { ...refused('conflict', mismatchWords(changes, phase)), changes }
  }
  if (health !== 'ready') return update(`it is not ready: ${why}`)
  if (phase === '') return update(foundWords)
  if (phase === 'making') return update('nothing says yet that it stands')
  if (live.isUnidentified && phase !== 'found') return update('nothing tells it from others yet')
  return isMarked ? same : update('its row does not say yet that it runs')
}

/** k3d puts neither back: what is left of the cluster is taken away with it. */
export function missingWords(part: string, phase: string): string {
  const how =
    phase === 'found'
      ? 'it is not ours: tend fleet adopt, then --recreate'
      : 'reconcile --from-db --recreate makes the cluster anew, losing what runs in it'
  return `${part} was removed, and can't be put back by itself: ${how}`
}

/** `httpPort 18090 → 18190` */
function mismatchWords(changes: readonly Change[], phase: string): string {
  const fields = changes.map(({ path, from, to }) => `${path} ${shown(from)} → ${shown(to)}`)
  const how =
    phase === 'found'
      ? 'it is not ours: tend fleet adopt, then recreate: true'
      : 'recreate: true in tend.yaml makes it anew, losing what runs in it'
  return `it no longer matches its row: ${fields.join(', ')} (${how})`
}

function refused(
  code: 'name_taken' | 'gone' | 'conflict',
  message: string,
): Extract<Difference, { readonly kind: 'refused' }> {
  return { kind: 'refused', problem: { type: 'runtime', code, message }, changes: [] }
}

/** Fields in which a cluster differs from its row: it is made anew only where that was said. */
function mismatchOf(wanted: Resource, seen: Present, vault: Vault): readonly Change[] {
  return diffValue(wanted.spec, seen.recorded?.spec ?? {}, vault)
}

function compareRegistration(wanted: Resource, seen: Present, vault: Vault): Difference {
  const changes = diffValue(wanted.spec, seen.recorded?.spec ?? {}, vault)
  const isLeaving = stateIn(wanted.spec) === 'absent'
  if (isLeaving) return changes.length === 0 ? same : update(leavingWords)
  if (changes.length > 0) {
    const isNew = changes.every(({ to }) => to === knownLater)
    const cause = isNew
      ? 'its cluster is made anew'
      : `${changes.map(({ path }) => path.replace(/^spec\.?/, '') || 'it').join(', ')} differs`
    return { kind: 'changed', how: 'update', cause, changes }
  }
  return typeof seen.live === 'string' ? update(seen.live) : same
}

function update(cause: string): Difference {
  return { kind: 'changed', how: 'update', cause, changes: [] }
}

function replace(cause: string, changes: readonly Change[]): Difference {
  return { kind: 'changed', how: 'replace', cause, changes }
}
