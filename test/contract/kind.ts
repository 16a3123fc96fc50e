/** What every kind of application must do, whatever it runs on: one suite for the ports Kind and Target of all kinds. */
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { assess } from '#engine/assess.ts'
import { lookAtHealth } from '#engine/look-at-health.ts'
import { preview } from '#engine/preview.ts'
import { reconcile } from '#engine/reconcile.ts'
import type { Request } from '#engine/request.ts'
import type { Application } from '#model/application.ts'
import type { Kind, Rendered, Target } from '#model/domain.ts'
import type { Event } from '#model/event.ts'
import { Problem } from '#model/problem.ts'
import type { Leases, Store } from '#model/store.ts'
import { memoryLeases, memoryStore } from '#store/memory.ts'
import { drivenOf, systemClock, usualOptions, type Driven } from '../testbed/drive.ts'

/** A small application of the kind, and what others may do to it. */
export type KindBench = {
  readonly kind: Kind
  readonly target: Target
  readonly application: Application
  /** At least two resources, one of which has a health and is well. */
  first(): Rendered | Promise<Rendered>
  /** Of what `first` declares, one is changed, one is gone, and one is new. */
  second(): Rendered | Promise<Rendered>
  /** Everything that is there of the application, without ids and times. */
  sketch(): Promise<unknown>
  /** Somebody else changes or removes one of the resources. */
  drift(): Promise<void>
  /** One resource stops working, though nothing of what was declared is changed. Absent: that can't happen to this kind. */
  sicken?(): Promise<void>
  /** Leases of its own, where the kind takes turns by them. */
  readonly leases?: Leases
  /** Declares that all of it goes, where only what is declared to go is removed. Absent: an uninstall removes it. */
  readonly none?: () => Promise<Rendered>
  /** A text that `first` declares as a secret. */
  readonly secret?: string
  /** What another program made may be taken over. Absent: this kind takes nothing over. */
  readonly adoption?: {
    /** Another program makes just what `first` declares. */
    made(): Promise<void>
    /** Takes that over as it is; a run goes on with the target that is given. */
    adopt(rendered: Rendered): Promise<Target>
    /** Everything that was made, by an id that is another when it is made anew. */
    ids(): Promise<unknown>
  }
  close(): Promise<void>
}

/** `open` gives a bench of its own for each test. */
export function kindContract(
  name: string,
  open: (t: TestContext) => Promise<KindBench>,
  { skip = false }: { readonly skip?: false | string } = {},
): void {
  function contract(what: string, work: (play: Play, bench: KindBench) => Promise<void>): void {
    void test(`${name}: ${what}`, { skip }, async (t) => {
      const bench = await open(t)
      try {
        await work(playOn(bench), bench)
      } finally {
        await bench.close()
      }
    })
  }

  contract(
    'create, then nothing to do, update, then nothing to do, delete',
    async (play, bench) => {
      const empty = await bench.sketch()
      const made = succeeded(await play.apply(await bench.first()))
      assert.ok(made.end.summary.created >= 2, made.text)
      await play.hasNothingToDo(await bench.first())
      succeeded(await play.apply(await bench.second()))
      await play.hasNothingToDo(await bench.second())
      succeeded(await play.uninstall())
      assert.deepEqual(await bench.sketch(), empty)
    },
  )

  contract('a dry run changes nothing', async (play, bench) => {
    const empty = await bench.sketch()
    const planned = await play.apply(await bench.first(), { isDryRun: true })
    assert.ok((planned.plan?.groups.length ?? 0) >= 2)
    assert.deepEqual(await bench.sketch(), empty)
    assert.equal(play.calls(), 0)
  })

  contract('nothing is created, changed or removed on unknown', async (play, bench) => {
    succeeded(await play.apply(await bench.first()))
    const before = await bench.sketch()
    play.calls()
    const blind = await play.apply(await bench.second(), {}, unseeing(bench.target))
    assert.notEqual(blind.end.outcome, 'succeeded')
    const lost = await play.apply(await bench.second(), {}, unreachable(bench.target))
    assert.equal(lost.end.outcome, 'failed')
    assert.equal(play.calls(), 0)
    assert.deepEqual(await bench.sketch(), before)
  })

  contract('what others changed is drift, and is put right', async (play, bench) => {
    succeeded(await play.apply(await bench.first()))
    const before = await bench.sketch()
    await bench.drift()
    const found = await play.assess(await bench.first())
    assert.ok(['drifted', 'missing'].includes(found.sync.state), JSON.stringify(found.sync))
    assert.notEqual(found.sync.reason, '')
    succeeded(await play.apply(await bench.first(), { trigger: 'drift' }))
    assert.deepEqual(await bench.sketch(), before)
    await play.hasNothingToDo(await bench.first())
  })

  contract(
    'what works is healthy, and what stopped working is not, though it is as declared',
    async (play, bench) => {
      succeeded(await play.apply(await bench.first()))
      const well = await play.assess(await bench.first())
      assert.deepEqual(
        [well.sync.state, well.health.state],
        ['synced', 'healthy'],
        JSON.stringify(well),
      )
      if (bench.sicken === undefined) return
      await bench.sicken()
      const ill = await play.assess(await bench.first())
      assert.ok(['failed', 'degraded'].includes(ill.health.state), JSON.stringify(ill))
      assert.notEqual(ill.health.reason, '')
    },
  )

  contract('a run that is cut off at any call is ended by the next one', async (play, bench) => {
    const whole = await play.counted(await bench.first())
    const wanted = await bench.sketch()
    succeeded(await play.uninstall())
    for (let call = 0; call < whole; call += 1) {
      const cut = await play.apply(await bench.first(), {}, cutAt(bench.target, call))
      assert.notEqual(cut.end.outcome, 'succeeded', `cut at call ${call} of ${whole}`)
      succeeded(await play.apply(await bench.first()))
      assert.deepEqual(await bench.sketch(), wanted, `cut at call ${call} of ${whole}`)
      await play.hasNothingToDo(await bench.first())
      succeeded(await play.uninstall())
    }
  })

  contract('what another program made is left alone until it is adopted', async (play, bench) => {
    const { adoption } = bench
    if (adoption === undefined) return
    await adoption.made()
    const theirs = await adoption.ids()
    const refused = await play.apply(await bench.first())
    assert.notEqual(refused.end.outcome, 'succeeded')
    assert.deepEqual(await adoption.ids(), theirs)
    const target = await adoption.adopt(await bench.first())
    succeeded(await play.apply(await bench.first(), {}, target))
    assert.deepEqual(await adoption.ids(), theirs)
    succeeded(await play.apply(await bench.second(), {}, target))
    assert.notDeepEqual(await adoption.ids(), theirs)
    succeeded(await play.uninstall())
  })

  contract('a secret is never told', async (play, bench) => {
    const { secret } = bench
    if (secret === undefined) return
    const told = [
      await play.apply(await bench.first(), { isDryRun: true }),
      await play.apply(await bench.first()),
      await play.apply(await bench.second()),
      await play.uninstall(),
    ]
    const text = JSON.stringify(told.map(({ events }) => events))
    assert.ok(!text.includes(secret), 'an event holds the secret')
    assert.ok(!text.includes(Buffer.from(secret).toString('base64')), 'an event holds it encoded')
  })
}

type Play = {
  apply(rendered: Rendered, more?: Partial<Request>, target?: Target): Promise<Driven>
  uninstall(): Promise<Driven>
  hasNothingToDo(rendered: Rendered): Promise<void>
  assess(rendered: Rendered): Promise<ReturnType<typeof assess>>
  /** Calls that changed something since the last time this was asked. */
  calls(): number
  /** Applies, and tells how many calls that took. */
  counted(rendered: Rendered): Promise<number>
}

const { signal } = new AbortController()

function playOn({ kind, target, application, leases, none }: KindBench): Play {
  const memory: { readonly store: Store; readonly leases: Leases } = {
    store: memoryStore(),
    leases: leases ?? memoryLeases(() => Date.now()),
  }
  let calls = 0
  function counting(inner: Target): Target {
    return {
      ...inner,
      operate(operation, context) {
        calls += 1
        return inner.operate(operation, context)
      },
    }
  }
  async function run(
    rendered: Rendered | undefined,
    more: Partial<Request>,
    on: Target,
  ): Promise<Driven> {
    const request: Request = {
      application,
      instance: 'test',
      trigger: 'manual',
      isDryRun: false,
      isUninstall: rendered === undefined,
      render: () => rendered ?? assert.fail('an uninstall renders nothing'),
      revision: 'r1',
      since: 1000,
      source: null,
      holder: 'a test',
      options: { ...usualOptions, pruneVolumes: true },
      ...more,
    }
    const parts = { kind, target: counting(on), clock: systemClock, ...memory }
    const events: Event[] = []
    for await (const event of reconcile(request, parts, signal)) events.push(event)
    return drivenOf(events)
  }
  const about = { application, instance: 'test', revision: 'r1', since: 1000 }
  return {
    apply: (rendered, more = {}, on = target) => run(rendered, more, on),
    uninstall: async () => run(await none?.(), {}, target),
    async hasNothingToDo(rendered) {
      calls = 0
      const again = succeeded(await run(rendered, {}, target))
      assert.deepEqual(again.plan?.groups, [], again.text)
      assert.equal(calls, 0)
    },
    async assess(rendered) {
      const seen = await preview({ ...about, rendered }, { kind, target }, signal)
      const looks = await lookAtHealth(rendered, seen, { kind, target, clock: systemClock }, signal)
      return assess(rendered, seen, looks, kind)
    },
    calls() {
      const count = calls
      calls = 0
      return count
    },
    async counted(rendered) {
      calls = 0
      succeeded(await run(rendered, {}, target))
      return calls
    },
  }
}

function succeeded(driven: Driven): Driven {
  const told = driven.problems.map(({ message, details = [] }) => [message, ...details].join('\n'))
  assert.equal(driven.end.outcome, 'succeeded', told.join('\n') || driven.text)
  return driven
}

/** It answers, and can tell of nothing whether it is there. */
function unseeing(target: Target): Target {
  return {
    ...target,
    observe: async ({ wanted }) =>
      new Map(wanted.map(({ ref }) => [ref, { kind: 'unknown', why: 'it was not looked at' }])),
  }
}

function unreachable(target: Target): Target {
  return {
    ...target,
    async observe() {
      throw new Problem({ type: 'runtime', code: 'unreachable', message: 'nobody answers' })
    },
  }
}

/** From this call on everything fails, as for a run that lost its engine. */
function cutAt(target: Target, call: number): Target {
  let made = 0
  return {
    ...target,
    async operate(operation, context) {
      made += 1
      if (made <= call) return target.operate(operation, context)
      throw new Problem({ type: 'runtime', code: 'api_error', message: 'the run was cut off' })
    },
  }
}
