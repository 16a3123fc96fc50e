/** Applying a thousand objects and finding that nothing changed, beside the bare calls and kubectl, on a real API server. */
import { discoveryOf, type Discovery } from '#clients/kubernetes/discovery.ts'
import { nameOfObject, type ObjectName } from '#domains/kustomizations/object.ts'
import type { Rendered } from '#model/domain.ts'
import type { JsonRecord } from '#model/json.ts'
import { driveKube, type KubeDriver } from '../../test/testbed/kube-drive.ts'
import { startKube, type TestKube } from '../../test/testbed/kube.ts'
import { contest, milliseconds, type Row } from '../row.ts'
import { bareCalls, width } from './bare-calls.ts'
import { manifestOf, thousandObjects } from './thousand.ts'

const rounds = 3
const { signal } = new AbortController()

export async function* applyRows(): AsyncIterable<Row> {
  const kube = await startKube({ isBare: true })
  const driver = driveKube(kube, 'bench', { wait: false })
  try {
    yield* firstApply(kube)
    yield* nothingNew(kube, driver)
  } finally {
    driver.close()
    await kube.stop()
  }
}

/** Each round is another set, with nothing in the cluster yet, over a connection that stands. */
async function* firstApply(kube: TestKube): AsyncIterable<Row> {
  const drivers: KubeDriver[] = []
  let driver: KubeDriver
  let discovery: Discovery
  let count = 0
  let objects: readonly JsonRecord[] = []
  let rendered: Rendered
  async function before(): Promise<void> {
    count += 1
    await kube.ask('POST', '/api/v1/namespaces', namespaceOf(`bench-${count}`))
    objects = thousandObjects(`bench-${count}`)
    driver = driveKube(kube, `bench-${count}`, { wait: false })
    drivers.push(driver)
    discovery = discoveryOf(driver.kubernetes)
    await discovery.preferred(signal)
    rendered = await driver.render({ 'all.yaml': manifestOf(objects) })
  }
  const took = await contest(
    {
      bare: { before, run: () => bareCalls(driver.kubernetes, discovery, objects) },
      // as the controller does it: a new set has an inventory, and nothing in it
      tend: { before, run: () => applied(driver, rendered, []) },
      kubectl: {
        before,
        run: () => kube.kubectl(['apply', '--server-side', '-f', '-'], manifestOf(objects)),
      },
    },
    rounds,
  )
  for (const one of drivers) one.close()
  yield {
    name: 'apply 1,000 new objects: to the bare dry runs and applies',
    measured: took.tend / took.bare,
    goal: { is: 'at most', than: 1.3 },
    behind: `${milliseconds(took.tend)} to ${milliseconds(took.bare)}, ${width} at once`,
  }
  yield {
    name: 'apply 1,000 new objects: faster than kubectl --server-side',
    measured: took.kubectl / took.tend,
    goal: { is: 'at least', than: 1.5 },
    behind: `${milliseconds(took.tend)}, rendered before, to ${milliseconds(took.kubectl)} with the start of kubectl`,
  }
}

async function* nothingNew(kube: TestKube, driver: KubeDriver): AsyncIterable<Row> {
  await kube.ask('POST', '/api/v1/namespaces', namespaceOf('bench-same'))
  const rendered = await driver.render({ 'all.yaml': manifestOf(thousandObjects('bench-same')) })
  await applied(driver, rendered)
  kube.kubectl(
    ['apply', '--server-side', '--force-conflicts', '-f', '-'],
    manifestOf(thousandObjects('bench-1')),
  )
  for (const method of ['PATCH', 'POST', 'PUT', 'DELETE']) driver.calls(method)
  const took = await contest(
    {
      // as the controller does it: with the inventory of the last run
      tend: { run: () => applied(driver, rendered, namesOf('bench-same')) },
      kubectl: {
        run: () =>
          kube.kubectl(
            ['apply', '--server-side', '-f', '-'],
            manifestOf(thousandObjects('bench-1')),
          ),
      },
    },
    rounds,
  )
  const writes = ['PATCH', 'POST', 'PUT', 'DELETE'].map((method) => driver.calls(method))
  const sum = writes.reduce((one, other) => one + other, 0)
  yield {
    name: '1,000 objects, nothing changed: faster than kubectl',
    measured: took.kubectl / took.tend,
    goal: { is: 'at least', than: 10 },
    behind: `${milliseconds(took.tend)}, rendered before, to ${milliseconds(took.kubectl)} with the start of kubectl`,
  }
  yield {
    name: '1,000 objects, nothing changed: writes and dry runs',
    measured: sum,
    goal: { is: 'at most', than: 0 },
    behind: `${sum} in ${rounds} runs`,
  }
}

/** Rendered before: a render is made once for a revision, and has rows of its own. */
async function applied(
  driver: KubeDriver,
  rendered: Rendered,
  inventory?: readonly ObjectName[],
): Promise<void> {
  const known = inventory === undefined ? {} : { inventory }
  const { outcome, text } = await driver.up({}, { request: { render: () => rendered }, ...known })
  if (outcome !== 'succeeded') throw new Error(text.slice(0, 2000))
}

function namesOf(namespace: string): readonly ObjectName[] {
  return thousandObjects(namespace).map(nameOfObject)
}

function namespaceOf(name: string): JsonRecord {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
}
