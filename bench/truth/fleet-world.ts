/** One fleet of one real control plane (kwok's) under the real service. Providers tell of nothing by themselves: it is looked at each second. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AppStatus } from '#model/service.ts'
import { fleetBench } from '../../test/testbed/fleet.ts'
import { kubeTool } from '../../test/testbed/kube-tools.ts'
import { whereIs } from '../../test/testbed/packages.ts'
import { freePort } from '../../test/testbed/port.ts'
import { webStandIn } from '../../test/testbed/web-stand-in.ts'
import { asking } from './cluster-world.ts'
import { boundTo, soon, type Harm, type Meaningless } from './harms.ts'
import { isWell, measure, type Measured } from './measure.ts'

export type FleetTruth = {
  /** Sends a signal to a part of the control plane. */
  readonly signal: (component: string, name: NodeJS.Signals) => void
  readonly kwokctl: (...words: readonly string[]) => void
  readonly fleet: (line: string) => Promise<void>
  measure(harm: Harm<FleetTruth>): Promise<Measured>
  close(): Promise<void>
}

const every = 1_000
/** How long a cluster that does not answer is waited for before it counts as one, ms. */
const probeTakes = 5_000

export async function openFleet(): Promise<FleetTruth> {
  const bench = await fleetBench()
  const web = await webStandIn()
  const port = await freePort()
  const { folder } = bench
  bench.write({
    'fleet.yaml': `name: truth
providers:
  kwok:
    program: ${kubeTool('kwokctl')}
    folder: ${join(folder, 'kwok')}
    components: [etcd, kube-apiserver]
    config:
      options:
        etcdBinary: ${whereIs('etcd')}
        kubeApiserverBinary: ${kubeTool('kube-apiserver')}
        kwokControllerBinary: ${kubeTool('kwok')}
        kubectlBinary: ${kubeTool('kubectl')}
`,
    'two.yaml': `clusters:
  two:
    provider: kwok
    without: [route]
    config: { options: { kubeApiserverBinary: /nonexistent/kube-apiserver } }
`,
    'tend.yaml': `listen: 127.0.0.1:${port}
fleets: [{ fleet: truth, database: fleet.db, interval: ${every / 1000}s }]
alerts: { failures: 1, after: 10m, channels: [{ kind: webhook, url: '${web.url}' }] }
`,
  })
  async function fleet(line: string): Promise<void> {
    const { code, out, err } = await bench.fleet(line)
    if (code !== 0) throw new Error(`${line}: ${out}${err}`)
  }
  await fleet('init')
  await fleet('add one --provider kwok --no-route')
  const service = bench.tend('serve --config tend.yaml')

  async function status(): Promise<AppStatus | undefined> {
    const token = readFileSync(join(folder, 'home', 'local-token'), 'utf8').trim()
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/apps`, { headers })
    const all: readonly AppStatus[] = JSON.parse(await answer.text())
    return all.find(({ key }) => key === 'fleet:truth')
  }
  async function untilWell(): Promise<void> {
    for (;;) {
      const now = await status().catch(() => undefined)
      if (now !== undefined && isWell(now)) return
      if (service.child.exitCode !== null) throw new Error(service.out())
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  await untilWell()
  const truth: FleetTruth = {
    signal(component, name) {
      const file = join(folder, 'kwok/clusters/one/pids', `${component}.pid`)
      process.kill(Number(readFileSync(file, 'utf8').trim()), name)
    },
    kwokctl(...words) {
      const env = { ...process.env, KWOK_WORKDIR: join(folder, 'kwok') }
      execFileSync(kubeTool('kwokctl'), words, { env, stdio: 'ignore' })
    },
    fleet,
    async measure(harm) {
      await untilWell()
      return measure({
        ...boundTo(harm, truth),
        listen: (hear) => asking(status, hear),
        alerts: () => web.seen.length,
      })
    },
    async close() {
      service.child.kill('SIGTERM')
      await service.told
      await bench.fleet('clean --all')
      await bench.close()
      await web.close()
    },
  }
  return truth
}

export function fleetHarms(): readonly (Harm<FleetTruth> | Meaningless)[] {
  const cluster = ['cluster', '--name', 'one'] as const
  return [
    {
      name: 'kill',
      limit: soon + every,
      harm: async ({ signal }) => signal('kube-apiserver', 'SIGKILL'),
    },
    {
      name: 'remove',
      limit: soon + every,
      harm: async ({ kwokctl }) => kwokctl('delete', ...cluster),
    },
    {
      name: 'pause',
      limit: soon + every + probeTakes,
      // what can't be seen is left alone
      harm: async ({ signal }) => signal('kube-apiserver', 'SIGSTOP'),
      mend: async ({ signal }) => signal('kube-apiserver', 'SIGCONT'),
    },
    {
      // it answers, and says itself that it is not ready
      name: 'unhealthy',
      limit: soon + every + probeTakes,
      harm: async ({ signal }) => signal('etcd', 'SIGKILL'),
    },
    {
      name: 'crash loop',
      why: 'nobody but Tend starts a control plane of kwok again; nodes of kind and k3d are made without a restart policy of ours',
    },
    {
      name: 'foreign change',
      why: 'what a row says of a cluster of kwok can be changed by making it anew alone, which is remove',
    },
    {
      name: 'moved tag',
      why: 'a row names a version, and a cluster keeps the one it was made with',
    },
    { name: 'taken port', why: 'kwok is given ports that are free at that moment' },
    {
      name: 'missing image',
      limit: soon + every,
      isCommit: true,
      // all of it at once: a row that is there for a moment without it would be made
      harm: ({ fleet }) => fleet('import two.yaml'),
      mend: ({ fleet }) => fleet('rm two'),
    },
    {
      name: 'engine restarted',
      limit: soon + every,
      harm: async ({ kwokctl }) => kwokctl('stop', ...cluster),
    },
  ]
}
