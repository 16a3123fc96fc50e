/** Every call of an install, an upgrade and an uninstall fails once in every way, and once kills the run: a plain run then converges. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakePodman, type FakePodman, type Fault } from '../fake/podman.ts'
import { freePort } from '../testbed/port.ts'
import { perform, quickClock, wentWell, whyNot, type Deed } from './scene.ts'

const port = await freePort()
const clock = quickClock()
const faults: readonly Fault[] = ['refuse', 'cut-before', 'cut-after', 'hang', 'die']
/** What comes before each deed, and what a plain run afterwards must reach. */
const deeds: readonly { readonly deed: Deed; readonly before: readonly Deed[] }[] = [
  { deed: 'first', before: [] },
  { deed: 'second', before: ['first'] },
  { deed: 'uninstall', before: ['first'] },
]

async function prepared(before: readonly Deed[]): Promise<FakePodman> {
  const podman = fakePodman()
  for (const deed of before) {
    const events = await perform(podman, deed, port, clock)
    assert.ok(wentWell(events), whyNot(events))
  }
  podman.calls.length = 0
  return podman
}

/** Everything but ids: names, states, attachments, which secret objects are in use, which volumes live on. */
function sketch({ state }: FakePodman): unknown {
  const containers = [...state.containers.values()].map((one) => ({
    name: one.name,
    state: one.state,
    env: one.env,
    networks: [...one.networks.keys()].toSorted(),
    volumes: one.volumes,
    spec: specOf(one.labels['tend/spec'] ?? '{}'),
  }))
  return {
    containers: containers.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    networks: [...state.networks.keys()].toSorted(),
    volumes: [...state.volumes.keys()].toSorted(),
    secrets: state.secrets.size,
  }
}

/** Under which names secrets live depends on what was there before. */
function specOf(text: string): unknown {
  const { secretEnv, secretFiles, ...spec } = JSON.parse(text)
  return { ...spec, secretEnv: Object.keys(secretEnv), secretFiles: secretFiles.length }
}

for (const { deed, before } of deeds) {
  test(`${deed}: whatever call fails, a plain run converges with no volume lost, no duplicate, no orphan`, async () => {
    const good = await prepared([...before, deed])
    const wanted = sketch(good)
    const whole = await prepared(before)
    assert.ok(wentWell(await perform(whole, deed, port, clock)))
    const count = whole.calls.length
    for (let number = 1; number <= count; number += 1) {
      for (const fault of faults) {
        const podman = await prepared(before)
        const births = new Map([...podman.state.volumes].map(([name, { birth }]) => [name, birth]))
        podman.plan((call) => (call.number === number ? fault : undefined))
        const run = perform(podman, deed, port, clock)
        if (fault === 'die') await Promise.race([run, stillness(podman)])
        else await run
        podman.plan(() => undefined)
        const where = `${fault} at call ${number} of ${count} (${describe(podman, number)})`
        const events = await perform(podman, deed, port, clock)
        assert.ok(wentWell(events), `${where}: ${whyNot(events)}`)
        assert.deepEqual(sketch(podman), wanted, where)
        for (const [name, birth] of births) {
          assert.equal(podman.state.volumes.get(name)?.birth, birth, `${where}: volume ${name}`)
        }
      }
    }
  })
}

function describe({ calls }: FakePodman, number: number): string {
  const call = calls[number - 1]
  return `${call?.method} ${call?.path}`
}

/** No call for a while: the killed run is as dead as it will be. */
async function stillness(podman: FakePodman): Promise<void> {
  for (let quiet = 0, last = -1; quiet < 15;) {
    await new Promise((resolve) => setTimeout(resolve, 1))
    quiet = podman.calls.length === last ? quiet + 1 : 0
    last = podman.calls.length
  }
}
