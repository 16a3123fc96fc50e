/** Sends events on and keeps them: the run and its snapshot go to the store when there is something to record. */
import { ownerOf } from '#model/application.ts'
import type { Rendered } from '#model/domain.ts'
import type { Event, Outcome, Summary } from '#model/event.ts'
import type { Images } from '#model/image.ts'
import { hashOf, type Json } from '#model/json.ts'
import { problemOf, type Problem } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import { mapTexts, withoutSecretShapes } from '#model/secret-shapes.ts'
import type { Lease } from '#model/store.ts'
import { isSealed, mapValue } from '#model/value.ts'
import type { Emit, EmittedEvent } from './apply/apply-context.ts'
import type { Parts, Request } from './request.ts'
import { defined } from '#model/defined.ts'

export type Recorder = {
  readonly emit: Emit
  open(rendered: Rendered, lease: Lease | undefined): Promise<void>
  /** Records a run that did nothing, but only if its declaration differs from the recorded one. */
  note(rendered: Rendered, lease: Lease | undefined): Promise<void>
  end(result: {
    readonly outcome: Outcome
    readonly isRolledBack: boolean
    readonly summary: Summary
  }): Promise<void>
}

export function recorderOf(
  request: Request,
  { store, clock, target }: Parts,
  send: (event: Event) => void,
): Recorder {
  const { application } = request
  const startedAt = clock.now()
  const before: Event[] = []
  let run: number | undefined
  let writing: Promise<void> = Promise.resolve()
  let hasComplained = false
  /** Set when another process holds the lease: this run may do nothing more. */
  let takenOver: Problem | undefined

  function stamped(told: EmittedEvent): Event {
    return { ...mapTexts(told, withoutSecretShapes), at: clock.now() }
  }

  function tell(told: EmittedEvent): void {
    const event = stamped(told)
    send(event)
    if (event.type === 'progress') return
    if (run === undefined) before.push(event)
    else keep(event)
  }

  /** Writes an event. The truth is on the resources, so a history that can't be written is a warning and not a failure. */
  function keep(event: Event): void {
    const number = defined(run)
    writing = writing.then(async () => {
      await store.append(application, number, event).catch(complain)
    })
  }

  function complain(thrown: unknown): void {
    const problem = problemOf(thrown)
    if (problem.code === 'held') takenOver = problem
    if (hasComplained) return
    hasComplained = true
    const text = `history can't be written: ${problem.message}`
    send({ type: 'warning', text, at: clock.now() })
  }

  async function kept(): Promise<void> {
    await writing
    if (takenOver !== undefined) throw takenOver
  }

  async function open(rendered: Rendered, lease: Lease | undefined): Promise<void> {
    const { since, trigger, source } = request
    const { version, resources, vault } = rendered
    run = await store.begin({
      application,
      since,
      trigger,
      version,
      startedAt,
      hash: snapshotHash(rendered),
      snapshot: { version, resources, secrets: vault.contents(), source },
      ...(lease === undefined ? {} : { generation: lease.generation }),
    })
    for (const event of before.splice(0)) keep(event)
    tell({ type: 'opened', run })
  }

  async function note(rendered: Rendered, lease: Lease | undefined): Promise<void> {
    const known = await store.application(application)
    const last = known?.lastRun
    const isKnown =
      request.isMoved !== true &&
      last?.outcome === 'succeeded' &&
      last.hash === snapshotHash(rendered) &&
      last.version === rendered.version
    if (isKnown || (request.isUninstall && (known === undefined || known.isUninstalled))) return
    await open(rendered, lease)
  }

  return {
    emit: Object.assign(tell, { kept }),
    open,
    note,
    /** Emits the end when it is recorded, or when it is known that it can't be. Nothing comes after it. */
    async end({ outcome, isRolledBack, summary }) {
      const back = isRolledBack ? await lastGood() : undefined
      const rolledBackTo = back === undefined ? {} : { rolledBackTo: back }
      const milliseconds = clock.now() - startedAt
      const ended = stamped({
        type: 'ended',
        outcome,
        isRolledBack,
        ...rolledBackTo,
        summary,
        milliseconds,
      })
      if (run !== undefined) {
        keep(ended)
        await writing
        await recordEnd(run, outcome, isRolledBack, summary)
      }
      send(ended)
    },
  }

  /** The process that took over records the end. What this run says about it does not count any more. */
  async function recordEnd(
    number: number,
    outcome: Outcome,
    isRolledBack: boolean,
    summary: Summary,
  ): Promise<void> {
    const isUninstalled = request.isUninstall && outcome === 'succeeded'
    const images = outcome === 'succeeded' && !isUninstalled ? await imagesNow() : undefined
    const result = {
      endedAt: clock.now(),
      outcome,
      isRolledBack,
      summary,
      isUninstalled,
      ...(images === undefined ? {} : { images }),
    }
    await store.end(application, number, result).catch(complain)
  }

  /** The images that run now. A run does not fail because they could not be seen: a rollback to it then goes by its tags. */
  async function imagesNow(): Promise<Images | undefined> {
    const owner = ownerOf(request.instance, application)
    return target.images?.(owner, AbortSignal.timeout(patience)).catch(() => undefined)
  }

  async function lastGood(): Promise<number | undefined> {
    const runs = await store.runs(application).catch((thrown: unknown) => {
      complain(thrown)
      return []
    })
    return runs.find(({ outcome }) => outcome === 'succeeded')?.number
  }
}

const patience = 10_000

/**
 * A hash that is equal for equal declarations: over what they want, not where it is written, and over the digests of secrets. What is
 * wrong with a declaration counts too: one that is mended may want the same resources, and is to be applied all the same.
 */
export function snapshotHash({ resources, problems, vault }: Rendered): string {
  const plain: Record<Ref, Json> = {}
  for (const { ref, spec, needs } of resources) {
    const digested = mapValue(spec, (leaf) =>
      isSealed(leaf) ? { digest: vault.digest(leaf) } : leaf,
    )
    plain[ref] = { spec: digested, needs }
  }
  const wrong = problems.map(({ at, message }) => `${at?.line ?? 0}:${at?.column ?? 0} ${message}`)
  return hashOf(wrong.length === 0 ? plain : [plain, wrong])
}
