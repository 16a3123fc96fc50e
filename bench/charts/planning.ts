/** Planning in memory grows linearly with the number of resources. */
import { chartsKind } from '#domains/charts/domain.ts'
import type { ContainerSpec } from '#domains/charts/spec.ts'
import { planOf } from '#engine/plan/plan.ts'
import { hashOf } from '#model/json.ts'
import type { Observed, Resource } from '#model/resource.ts'
import { vaultOf } from '#model/vault.ts'
import { contest, milliseconds, type Row } from '../row.ts'

/** A third is there as wanted, a third differs, a third is new; each needs some earlier ones, all need one of the first. */
function scene(size: number): Parameters<typeof planOf>[0] {
  const resources: Resource[] = []
  const world = new Map<string, Observed>()
  const origin = { file: 'bench.yaml', line: 1, column: 1 }
  for (let n = 0; n < size; n += 1) {
    const ref = `container/c${n}`
    const before = [0, Math.floor(n / 2), n - 1].filter((other) => other >= 0 && other < n)
    const needs = [...new Set(before)].map((other) => {
      return { ref: `container/c${other}`, until: 'started', renew: false } as const
    })
    const spec = specOf(n)
    resources.push({ ref, spec, needs, origin, problems: [] })
    if (n % 3 === 0) continue
    const recorded = n % 3 === 1 ? spec : { ...spec, image: 'example/app:old' }
    world.set(ref, {
      kind: 'present',
      recorded: { hash: hashOf(recorded), spec: recorded, needs },
      outputs: { object: `c${n}` },
      live: { id: `id${n}`, name: `c${n}`, state: 'running', hasObject: true },
      spares: [],
    })
  }
  for (let n = 0; n < size / 10; n += 1) {
    const seen = world.get('container/c1')
    if (seen !== undefined) world.set(`container/orphan${n}`, seen)
  }
  const vault = vaultOf(new Map(), new Uint8Array([1]))
  const rendered = { resources, problems: [], warnings: [], isIncomplete: false, version: '1' }
  const application = { kind: 'chart', namespace: null, name: 'bench' } as const
  const identity = { owner: 'bench', application, version: '1', revision: 'r', since: 0 }
  return {
    rendered: { ...rendered, vault },
    world,
    kind: chartsKind,
    identity,
    allowed: { recreateVolumes: false, pruneVolumes: false },
  }
}

function specOf(n: number): ContainerSpec {
  return {
    object: `c${n}`,
    image: `example/app:${n}`,
    imagePullPolicy: 'missing',
    env: { A: '1', B: `${n}` },
    ports: [],
    mounts: [],
    networks: [],
    secretEnv: {},
    secretFiles: [],
    restartPolicy: 'always',
  }
}

export async function* planning(): AsyncIterable<Row> {
  const small = scene(1_000)
  const large = scene(10_000)
  // Ten small ones in a row take their share of garbage collection, which one alone would leave to its neighbour.
  const batch = 10
  function smallOnes(): void {
    for (let turn = 0; turn < batch; turn += 1) planOf(small)
  }
  for (let warm = 0; warm < 5; warm += 1) {
    smallOnes()
    planOf(large)
  }
  const times = await contest(
    { small: { run: smallOnes }, large: { run: () => planOf(large) } },
    15,
  )
  const each = times.small / batch
  yield {
    name: 'planning 10,000 resources against 1,000',
    measured: times.large / each,
    goal: { is: 'at most', than: 12 },
    behind: `${milliseconds(times.large)} against ${milliseconds(each)}`,
  }
}
