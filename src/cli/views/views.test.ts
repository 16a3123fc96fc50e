/** Whatever a run does, every view tells of every group, and no view breaks. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shownPath } from './paths.ts'
import fc from 'fast-check'
import type { Event } from '#model/event.ts'
import { nameOf } from '#model/ref.ts'
import { utcTime } from '../../../test/fake/events.ts'
import { freshMemory, resource, runOn } from '../../../test/fake/run.ts'
import { fakeWorld } from '../../../test/fake/world.ts'
import { runDocument } from './document.ts'
import { plain } from './paint.ts'
import { progressOf } from './progress.ts'
import { runView } from './run-view.ts'
import { runSummaryOf } from './run-summary.ts'

const faults = ['permanent', 'transient', 'cut before', 'cut after'] as const

/** An install, then an upgrade in which some call fails or some container never becomes healthy. */
async function randomRun(
  size: number,
  call: number,
  fault: (typeof faults)[number],
  sick: number,
  isAtomic: boolean,
): Promise<readonly Event[]> {
  const world = fakeWorld()
  const memory = freshMemory()
  function declared(version: number): ReturnType<typeof resource>[] {
    return Array.from({ length: size }, (_, index) => {
      const isUnhealthy = version === 2 && index === sick
      const needs =
        index === 0 ? [] : ([{ ref: 'container/c0', until: 'healthy', renew: false }] as const)
      return resource(`container/c${index}`, { version, isUnhealthy }, needs)
    })
  }
  await runOn(world, declared(1), { memory })
  world.calls.length = 0
  world.fault = { call, fault }
  return runOn(world, declared(2).slice(0, size - 1), { memory, options: { isAtomic } })
}

test('every group is told of, in lines short and long and in the document', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 5 }),
      fc.nat(30),
      fc.constantFrom(...faults),
      fc.nat(8),
      fc.boolean(),
      async (size, call, fault, sick, isAtomic) => {
        const events = await randomRun(size, call, fault, sick, isAtomic)
        const refs = runSummaryOf(events).groups.map(({ group }) => group.ref)
        assert.ok(refs.length > 0)
        for (const isVerbose of [false, true]) {
          const view = runView({
            doing: 'Upgrading chart',
            subject: './app',
            isVerbose,
            explains: false,
            paint: plain,
            before: 1,
            apply: '',
            time: utcTime,
          })
          const text = events.flatMap((event) => view.on(event)).join('\n')
          for (const ref of refs) assert.match(text, new RegExp(`\\b${nameOf(ref)}\\b`), text)
          assert.match(text, /Status: (Success|Failed)/)
          assert.doesNotMatch(text, /undefined|\[object|NaN/)
        }
        const { resources, errors, status } = runDocument(runSummaryOf(events))
        assert.ok(Array.isArray(resources) && resources.length >= refs.length)
        assert.ok(Array.isArray(errors))
        assert.equal(errors.length > 0, status === 'failed')
        const progress = progressOf(plain)
        for (const event of events) progress.on(event)
        assert.deepEqual(progress.lines(Number.MAX_SAFE_INTEGER, 80), [])
      },
    ),
    { numRuns: 60 },
  )
})

test('the address of a repository is printed as a person types it', () => {
  for (const address of [
    'https://git.example.org/shop.git/web',
    'git@git.example.org:shop.git/web',
  ]) {
    assert.equal(shownPath(address), address)
  }
  assert.equal(shownPath(process.cwd()), '.')
})
