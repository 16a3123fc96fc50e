/** Who may be served by what was seen of a fleet a moment ago. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FleetContext } from '#domains/fleet/fleet-context.ts'
import { reconciling } from './usual.ts'
import { sharedLooks } from './shared-looks.ts'

/** Looks at a fleet without rows in turn, and gives which of them asked the registration. */
async function asked(
  ...steps: readonly ('run' | 'list' | 'question' | 'done' | 'later' | 'row')[]
): Promise<readonly string[]> {
  let [now, serverIp, looks] = [1_000, '172.20.0.3', 0]
  const clock = { now: () => now, random: () => 0, sleep: async () => undefined }
  const shared = sharedLooks(clock)
  const found: string[] = []
  for (const step of steps) {
    if (step === 'done') shared.forget()
    if (step === 'later') now += 60_000
    if (step === 'row') serverIp = '172.20.0.4'
    if (step === 'done' || step === 'later' || step === 'row') continue
    const before = looks
    const registration = {
      kind: 'route',
      list: async () => {
        looks += 1
        return new Map()
      },
    }
    const fleet = fleetWith(serverIp, registration)
    const asking = { wanted: [], owner: '', refresh: false, report() {} }
    await shared.observe(fleet, { ...asking, signal: new AbortController().signal }, step)
    if (looks > before) found.push(step)
  }
  return found
}

function fleetWith(serverIp: string, registration: object): FleetContext {
  const fleet = {
    settings: { name: serverIp },
    options: reconciling,
    declared: { rows: [], notes: new Map() },
    registrations: [registration],
    memory: {},
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a fleet without rows asks nothing else
  return fleet as unknown as FleetContext
}

test('a run looks for itself, whatever was seen before', async () => {
  assert.deepEqual(await asked('list', 'run', 'run'), ['list', 'run', 'run'])
})

test('what a run saw and left as it was serves one list', async () => {
  assert.deepEqual(await asked('run', 'list', 'list'), ['run', 'list'])
})

test('who asks now is told what is there now, and a list does not repeat that', async () => {
  const all = ['list', 'question', 'list', 'question'] as const
  assert.deepEqual(await asked(...all), all)
})

test('nothing serves once something was done, a row is another, or time went by', async () => {
  for (const between of ['done', 'later', 'row'] as const) {
    assert.deepEqual(await asked('run', between, 'list'), ['run', 'list'])
  }
})
