/** Which duties this replica takes, and which it gives away: from what all replicas say of themselves alone. Pure. */
import type { Duty, DutyChange, Offer, ReplicaRow } from '#model/replicas.ts'

/** Something that this replica knows of: an application or a repository. */
export type KnownDuty = {
  readonly key: string
  /** Where it runs, as this replica understands its declaration. */
  readonly target: string
  /** Something goes on with it here. */
  readonly isBusy: boolean
}

type Sharing = {
  readonly id: string
  readonly isLeader: boolean
  readonly replicas: readonly ReplicaRow[]
  readonly duties: ReadonlyMap<string, Duty>
  readonly known: readonly KnownDuty[]
}

type TargetQuota = { readonly mine: number; readonly quota: number }

/**
 * Replicas that offer the same target have equally many of its duties, and keep them. What nobody offers is the leader's, who
 * says so.
 */
export function shareDuties({ id, isLeader, replicas, duties, known }: Sharing): DutyChange[] {
  const self = replicas.find((one) => one.id === id)
  if (self === undefined) return []
  const living = new Set(replicas.map((one) => one.id))
  const offering = offersByTarget(replicas)
  const sizes = sizesByGroup(id, duties, known)
  const places = new Map<string, TargetQuota>()
  const changes: DutyChange[] = []

  function candidatesFor(duty: Pick<Duty, 'target' | 'engine' | 'host'>): readonly Candidate[] {
    const all = offering.get(duty.target) ?? []
    const same = all.filter(({ offer }) => duty.engine === '' || offer.engine === duty.engine)
    // after a restart of its machine an engine has another mark
    const fitting = same.length > 0 ? same : all.filter(({ replica }) => replica.host === duty.host)
    const seen = fitting.filter(({ offer }) => offer.isSeen)
    return seen.length > 0 ? seen : fitting
  }

  function placeOf(group: string, count: number): TargetQuota {
    const found = places.get(group)
    if (found !== undefined) return found
    const { all, mine } = sizes.get(group) ?? { all: 0, mine: 0 }
    const place = { mine, quota: Math.ceil(all / Math.max(1, count)) }
    places.set(group, place)
    return place
  }

  function counted(group: string, by: 1 | -1): void {
    const place = places.get(group)
    if (place !== undefined) places.set(group, { ...place, mine: place.mine + by })
  }

  function take(one: KnownDuty, duty: Duty | undefined, own: Offer | undefined): void {
    const target = own?.target ?? duty?.target ?? one.target
    const engine = own?.engine ?? duty?.engine ?? ''
    const host = own === undefined ? (duty?.host ?? '') : (self?.host ?? '')
    changes.push({ key: one.key, target, engine, host, from: duty?.holder, holder: id })
    counted(groupOf(one, duty), 1)
  }

  function giveAway(duty: Duty, target = duty.target): void {
    const news = target === duty.target ? {} : { target, engine: '', host: '' }
    changes.push({ ...duty, ...news, from: id, holder: '' })
    counted(groupOf(duty, duty), -1)
  }

  for (const one of known) {
    const found = duties.get(one.key)
    const isOurs = found?.holder === id
    if (found !== undefined && !isOurs && living.has(found.holder)) continue
    if (isOurs && one.isBusy) continue
    // it was declared to run elsewhere since, or nobody was ever able to run it
    const isMoved = found !== undefined && found.target !== one.target && isDeclaredAnew(found)
    if (isOurs && isMoved) {
      giveAway(found, one.target)
      continue
    }
    const duty = isMoved ? { ...found, target: one.target, engine: '', host: '' } : found
    const candidates = candidatesFor(duty ?? { target: one.target, engine: '', host: '' })
    const own = candidates.find(({ replica }) => replica.id === id)?.offer
    if (own === undefined) {
      if (isOurs && candidates.length > 0) giveAway(found)
      else if (!isOurs && candidates.length === 0 && isLeader) take(one, duty, undefined)
      continue
    }
    const { mine, quota } = placeOf(groupOf(one, duty), candidates.length)
    if (isOurs && mine > quota) giveAway(found)
    else if (isOurs && found.engine !== own.engine) take(one, found, own)
    else if (!isOurs && mine < quota) take(one, duty, own)
  }
  return changes

  /** What ran somewhere stays there until its own holder says otherwise. */
  function isDeclaredAnew(duty: Duty): boolean {
    return duty.holder === id || duty.engine === ''
  }
}

/** Those that the same replicas can have: of one target, and of one engine where the same address leads to several. */
function groupOf(known: Pick<KnownDuty, 'target'>, duty: Duty | undefined): string {
  return `${duty?.target ?? known.target}\n${duty?.engine ?? ''}`
}

/** How many there are of each group, and how many of these are ours: counted once, for hosts are many too. */
function sizesByGroup(
  id: string,
  duties: ReadonlyMap<string, Duty>,
  known: readonly KnownDuty[],
): ReadonlyMap<string, { readonly all: number; readonly mine: number }> {
  const found = new Map<string, { all: number; mine: number }>()
  for (const one of known) {
    const duty = duties.get(one.key)
    const group = groupOf(one, duty)
    const size = found.get(group) ?? { all: 0, mine: 0 }
    size.all += 1
    if (duty?.holder === id) size.mine += 1
    found.set(group, size)
  }
  return found
}

type Candidate = { readonly replica: ReplicaRow; readonly offer: Offer }

function offersByTarget(
  replicas: readonly ReplicaRow[],
): ReadonlyMap<string, readonly Candidate[]> {
  const found = new Map<string, Candidate[]>()
  for (const replica of replicas) {
    for (const offer of replica.offers) {
      const others = found.get(offer.target) ?? []
      others.push({ replica, offer })
      found.set(offer.target, others)
    }
  }
  return found
}
