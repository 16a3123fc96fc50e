/** This service among others on the same database: what is ours to look after, who has the rest, and what each tells the others. */
import { isRecord, type Json } from '#model/json.ts'
import type { Log } from '#model/log.ts'
import { problemOf } from '#model/problem.ts'
import type {
  Duty,
  DutyChange,
  Exchanged,
  Membership,
  ReplicaRow,
  Replicas,
} from '#model/replicas.ts'
import { slotsFor } from '#store/slots.ts'
import { createOutgoing } from './outgoing.ts'
import type { PeerHooks } from './peer-hooks.ts'
import { shareDuties } from './share-duties.ts'

type PeerParts = {
  readonly membership: Membership
  readonly replicas: Pick<Replicas, 'listen'>
  readonly name: string
  readonly instance: string
  readonly host: string
  readonly log: Log
  /** Of all replicas together. */
  concurrency(): number
  /** A service of an earlier version leads: this one has to step aside. */
  stepAside(leader: string): void
}

export type Peers = {
  readonly id: string
  isOurs(key: string): boolean
  /** Where the one answers who looks after it; undefined: nobody does. */
  addressOf(key: string): string | undefined
  replicas(): readonly ReplicaRow[]
  isLeader(): boolean
  /** What was shown by anybody when this one joined. */
  readonly shown: ReadonlyMap<string, Json>
  /** Told to the others, soon. */
  tell(word: Json): void
  /** Told to the others, and to those who come later; undefined takes it away. */
  show(key: string, body: Json | undefined): void
  /** Writes a note of what this one looks after; undefined forgets it. Refused when another one does by now. */
  keep(key: string, topic: string, note: Json | undefined): Promise<void>
  /** Nobody has to look after it any more. */
  ended(key: string): void
  /** So many runs may be under way here, of which so many are: what is beyond its share is left to others who wait. */
  slots(running: number): number
  need(running: number, wants: number): void
  /** Something is known that was not before, or not any more: it is looked for who is to have it. */
  poke(): void
  /** Where the others reach this one. */
  announce(url: string): Promise<void>
  /** From now on it takes part. */
  begin(hooks: PeerHooks): Promise<void>
  /** Takes no part any more, and lets the others have what was ours. */
  stop(): Promise<void>
}

/** Says that it lives, and looks for what it was not woken up for, ms. */
const heartbeat = 3_000
/** What is told within so long goes together, ms, and so much of it at once. */
const [together, most] = [60, 2_000]

export async function openPeers(parts: PeerParts): Promise<Peers> {
  const { membership, log } = parts
  const { id } = membership
  const ours = new Set<string>()
  const gaining = new Set<string>()
  const duties = new Map<string, Duty>()
  let replicas: readonly ReplicaRow[] = []
  let leader = ''
  let url = ''
  let slots = 0
  let need = { running: 0, wants: 0 }
  let hasEnded = false
  let hooks: PeerHooks | undefined
  const early: Json[] = []
  const outgoing = createOutgoing(most)
  let timer: NodeJS.Timeout | undefined
  let dueAt = Infinity
  let isOver = false
  let isAway = false
  let turn: Promise<void> = Promise.resolve()
  await exchange([])
  // afterwards: what is shown from now on is told, and what was shown before is read
  const shown = await membership.shown()
  const unlisten = parts.replicas.listen(() => soon(together))
  soon(heartbeat)

  /** The earliest of all that was asked for counts. */
  function soon(pause: number): void {
    const at = performance.now() + pause
    if (isOver || (timer !== undefined && at >= dueAt)) return
    clearTimeout(timer)
    dueAt = at
    timer = setTimeout(() => {
      timer = undefined
      dueAt = Infinity
      void exchangeInTurn()
    }, pause)
    timer.unref()
  }

  async function exchangeInTurn(): Promise<void> {
    turn = turn.then(exchangeOnce)
    await turn
  }

  async function exchangeOnce(): Promise<void> {
    if (isOver || membership.lost.aborted) return
    try {
      await exchange(hooks === undefined ? [] : shared(hooks))
      isAway = false
    } catch (thrown) {
      if (!isAway && !membership.lost.aborted) log('warning', problemOf(thrown).message)
      isAway = true
    }
    const next = replicas.filter((one) => one.id !== id).map(({ expiresIn }) => expiresIn + 50)
    soon(Math.min(heartbeat, ...(isAway ? [1_000] : next)))
  }

  /** What is given away is not ours from this moment on: nothing begins with it while the others are told. */
  function shared(own: PeerHooks): readonly DutyChange[] {
    const changes = shareDuties({
      id,
      isLeader: leader === id,
      replicas,
      duties,
      known: own.known().map((one) => (gaining.has(one.key) ? { ...one, isBusy: true } : one)),
    })
    const given = changes.filter(({ key, holder }) => holder !== id && ours.delete(key))
    if (given.length > 0) own.lost(given.map(({ key }) => key))
    return changes.slice(0, most)
  }

  async function exchange(changes: readonly DutyChange[]): Promise<void> {
    const told = outgoing.take()
    // it may give some back: until it is known which are left, nothing begins in them
    const [before, others] = [slots, hasEnded]
    slots = Math.min(slots, need.running)
    hasEnded = false
    let done: Exchanged
    try {
      done = await membership.exchange({
        self: {
          name: parts.name,
          instance: parts.instance,
          url,
          host: parts.host,
          offers: hooks?.offers() ?? [],
          wants: need.wants,
        },
        changes,
        ...told,
        concurrency: parts.concurrency(),
        running: need.running,
        hasEnded: others,
      })
    } catch (thrown) {
      hasEnded ||= others
      outgoing.putBack(told)
      throw thrown
    }
    heard(done, done.slots !== before || slots < before)
    if (!outgoing.isEmpty() || changes.length >= most || done.messages.length >= most) soon(0)
  }

  function heard(done: Exchanged, areSlotsOthers: boolean): void {
    if (done.alone !== undefined) parts.stepAside(done.alone)
    const isOther = areSlotsOthers || done.leader !== leader
    const before = replicas.map((one) => one.id).join()
    replicas = done.replicas
    leader = done.leader
    slots = done.slots
    for (const key of done.endedDuties) {
      duties.delete(key)
      if (ours.delete(key)) hooks?.lost([key])
    }
    for (const duty of done.duties) duties.set(duty.key, duty)
    const taken = done.duties.filter(({ key, holder }) => holder !== id && ours.delete(key))
    if (taken.length > 0) hooks?.lost(taken.map(({ key }) => key))
    for (const { body } of done.messages) passOn(body)
    gain()
    const isMoved = replicas.map((one) => one.id).join() !== before
    // whoever is free now is taken by the next one
    if (isMoved || done.duties.length > 0) soon(together)
    if (isOther || isMoved) hooks?.changed()
  }

  /** What is told before this one takes part is not lost. */
  function passOn(message: Json): void {
    if (hooks === undefined) return void early.push(message)
    if (!isRecord<Json>(message)) return
    const { shown: key, word = null } = message
    if (typeof key === 'string') hooks.showed(key, message['body'])
    else hooks.heard(word)
  }

  /** Also what could not be taken over, or given away, the last time. */
  function gain(): void {
    if (hooks === undefined) return
    const keys = [...duties.values()]
      .filter(({ key, holder }) => holder === id && !ours.has(key) && !gaining.has(key))
      .map(({ key }) => key)
    if (keys.length === 0) return
    for (const key of keys) gaining.add(key)
    void hooks
      .gained(keys)
      .then(() => {
        const kept = keys.filter((key) => duties.get(key)?.holder === id)
        for (const key of kept) ours.add(key)
        hooks?.taken(kept)
      })
      .catch((thrown: unknown) => {
        log('warning', 'could not be taken over yet', { why: problemOf(thrown).message })
        soon(1_000)
      })
      .finally(() => {
        for (const key of keys) gaining.delete(key)
        hooks?.changed()
      })
  }

  function holderOf(key: string): ReplicaRow | undefined {
    const holder = duties.get(key)?.holder
    return replicas.find((one) => one.id === holder)
  }

  return {
    id,
    isOurs: (key) => ours.has(key) && membership.isHeld(),
    addressOf(key) {
      const found = holderOf(key)
      return found === undefined || found.id === id || found.url === '' ? undefined : found.url
    },
    replicas: () => replicas,
    isLeader: () => leader === id,
    shown,
    tell(word) {
      outgoing.tell(word)
      soon(together)
    },
    show(key, body) {
      outgoing.show(key, body)
      soon(together)
    },
    keep: (key, topic, note) => membership.keep(key, topic, note),
    ended(key) {
      if (!duties.has(key)) return
      outgoing.ended(key)
      soon(together)
    },
    slots(running) {
      hasEnded ||= running < need.running
      const wants = Math.max(1, need.wants)
      const demand = { id, replicas, hasEnded, running, wants, concurrency: parts.concurrency() }
      return Math.min(slots, slotsFor(demand))
    },
    need(running, wants) {
      if (running === need.running && wants === need.wants) return
      const isSurplus = slots > running + wants
      need = { running, wants }
      if (isSurplus || wants > 0) soon(0)
    },
    poke: () => soon(together),
    async announce(own) {
      url = own
      await exchangeInTurn()
    },
    async begin(given) {
      hooks = given
      for (const message of early.splice(0)) passOn(message)
      await exchangeInTurn()
      await exchangeInTurn()
    },
    async stop() {
      // what was told last is heard before the others take over
      if (!membership.lost.aborted && !outgoing.isEmpty()) await exchangeInTurn()
      isOver = true
      clearTimeout(timer)
      unlisten()
      await turn
      // without the database it is gone by itself in a moment
      await membership.leave().catch(() => undefined)
    },
  }
}
