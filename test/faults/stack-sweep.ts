/** Single calls of a stack's run fail on a real engine, and runs end at any call: a plain run converges. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { dockerAt, type Docker } from '#clients/docker/client.ts'
import { listVolumes } from '#clients/docker/volumes.ts'
import type { Driven } from '../testbed/drive.ts'
import { driveStack, type StackDriver } from '../testbed/drive-stack.ts'
import { freePort } from '../testbed/port.ts'
import { startProxy, type Fault } from '../testbed/proxy.ts'
import { sketchOf, stackOf, type Version } from './stack-scene.ts'
import { watchedMemory } from './memory-history.ts'
import { makeStrangers, strangerVolume, type Strangers } from './strangers.ts'
import { tallyOf } from './tally.ts'

const isWhole = process.env['TEND_FAULTS'] === 'all'
const faults: readonly Fault[] = ['refuse', 'cut-before', 'cut-after', 'garbage', 'hang']
/** Longer than any call takes here, short enough that one that hangs does not hold up the sweep. */
const silence = 5_000
const { signal } = new AbortController()
const project = 'swept'

export type SweptEngine = {
  readonly name: string
  readonly skip: false | string
  /** How many calls of a run fail where not all of them do; with one, no run is ended at a call. */
  readonly samples: number
  /** Starts it, with the image. */
  readonly start: () => Promise<Service>
}

type Service = {
  readonly socket: string
  readonly root: string
  stop(): Promise<void>
}

type Deed = Version | 'down'

const deeds: readonly { readonly deed: Deed; readonly before: readonly Deed[] }[] = [
  { deed: 'first', before: [] },
  { deed: 'second', before: ['first'] },
  { deed: 'down', before: ['first'] },
]

/** A sample of the calls, all of them in `npm run test:faults`. */
export function sweepStack({ name: engineName, skip, samples, start }: SweptEngine): void {
  const tally = tallyOf(engineName)
  let service: Service
  let direct: Docker
  let driver: StackDriver
  let port: number
  let strangers: Strangers
  const memory = watchedMemory()

  before(async () => {
    if (skip !== false) return
    service = await start()
    direct = dockerAt({ address: `unix://${service.socket}` })
    driver = driveStack(service.socket, service.root, project, undefined, memory)
    port = await freePort()
    strangers = await makeStrangers(direct)
  })

  after(async () => {
    if (skip !== false) return
    driver.close()
    direct.close()
    await service.stop()
  })

  function perform(deed: Deed, on: StackDriver): Promise<Driven> {
    return deed === 'down' ? on.down() : on.up(stackOf(deed, port))
  }

  async function well(deed: Deed): Promise<void> {
    const driven = await perform(deed, driver)
    assert.equal(driven.end.outcome, 'succeeded', whyNot(driven))
  }

  async function cleared(): Promise<void> {
    await well('down')
    for (const { name } of await listVolumes(direct, [], signal)) {
      if (name === strangerVolume) continue
      await direct.ask('DELETE', `/volumes/${name}`, { signal, doing: 'clear' })
    }
  }

  async function sketch(): Promise<unknown> {
    return {
      ...(await sketchOf(direct, signal)),
      // what is in the volume and the config's file, where they run
      data: await inside('db', 'cat', '/data/mark'),
      site: await inside('web', 'cat', '/site'),
    }
  }

  async function inside(name: string, ...command: readonly string[]): Promise<string> {
    return driver.inside(`${project}-${name}-1`, ...command).catch(() => '')
  }

  /** So that a lost volume shows. */
  async function marked(): Promise<void> {
    await inside('db', 'sh', '-c', 'echo kept > /data/mark')
  }

  for (const { deed, before: earlier } of deeds) {
    async function prepared(): Promise<void> {
      for (const one of earlier) await well(one)
      await marked()
    }

    async function measured(): Promise<{ readonly count: number; readonly wanted: unknown }> {
      await prepared()
      const proxy = await startProxy(service.socket, `${service.socket}.measured`)
      const through = driveStack(proxy.socket, service.root, project)
      try {
        const driven = await perform(deed, through)
        assert.equal(driven.end.outcome, 'succeeded', whyNot(driven))
        const count = proxy.calls().filter(({ path }) => !path.includes('/events')).length
        return { count, wanted: await sketch() }
      } finally {
        through.docker.close()
        await proxy.stop()
        await cleared()
      }
    }

    void test(
      `${deed} on ${engineName}: calls fail, a plain run converges`,
      { skip },
      async (context) => {
        const { count, wanted } = await measured()
        const step = isWhole ? 1 : Math.ceil(count / samples)
        for (let number = Math.ceil(step / 2); number <= count; number += step) {
          for (const fault of isWhole ? faults : [faults[number % faults.length]!]) {
            tally.tried(fault)
            await prepared()
            const proxy = await startProxy(service.socket, `${service.socket}.${number}-${fault}`)
            const own = watchedMemory()
            const through = driveStack(proxy.socket, service.root, project, silence, own)
            let [seen, what] = [0, '']
            proxy.plan(({ path, method }) => {
              if (path.includes('/events')) return 'pass'
              seen += 1
              if (seen !== number) return 'pass'
              what = `${method} ${path.split('?')[0]}`
              return fault
            })
            const driven = await perform(deed, through)
            through.docker.close()
            await proxy.stop()
            await well(deed)
            const where = `${fault} at call ${number} of ${count}, ${what}, which ${whyNot(driven)}`
            assert.deepEqual(await sketch(), wanted, where)
            await strangers.check(where)
            own.check(where)
            memory.check(where)
            tally.converged(fault)
            context.diagnostic(where)
            await cleared()
          }
        }
      },
    )

    if (samples === 1 && !isWhole) continue
    void test(
      `${deed} on ${engineName}: the run ends at a call, a plain run converges`,
      { skip },
      async (context) => {
        const { count, wanted } = await measured()
        const step = isWhole ? 1 : Math.ceil(count / samples)
        for (let number = isWhole ? 2 : Math.ceil(step / 3); number <= count; number += step) {
          tally.tried('ended')
          await prepared()
          const proxy = await startProxy(service.socket, `${service.socket}.kill-${number}`)
          const through = driveStack(proxy.socket, service.root, project)
          let [seen, what] = [0, '']
          // what is under way gets through, no answer comes any more, and nothing new begins
          proxy.plan(({ path, method }) => {
            if (path.includes('/events')) return 'pass'
            seen += 1
            if (seen < number) return 'pass'
            what ||= `${method} ${path.split('?')[0]}`
            return 'hang'
          })
          void perform(deed, through)
          for (let calm = 0, last = -1; calm < 10; calm += 1) {
            if (seen < number || seen !== last) calm = 0
            last = seen
            await sleep(50)
          }
          await proxy.stop()
          through.docker.close()
          await well(deed)
          const where = `ended at call ${number} of ${count}, ${what}`
          assert.deepEqual(await sketch(), wanted, where)
          await strangers.check(where)
          memory.check(where)
          tally.converged('ended')
          context.diagnostic(where)
          await cleared()
        }
      },
    )
  }
}

function whyNot({ end, problems }: Driven): string {
  return `${end.outcome}: ${problems.map(({ message }) => message).join('; ')}`
}
