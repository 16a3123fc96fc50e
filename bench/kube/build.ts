/** Building kustomizations of many objects: against kustomize 5.8.1, and how the time grows. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildKustomization, type Files } from '#formats/kustomize/build.ts'
import { kubeTool, requiredKube } from '../../test/testbed/kube-tools.ts'
import type { Curve } from '../curve.ts'
import { contest, milliseconds, type Row } from '../row.ts'

export async function* buildRows(): AsyncIterable<Row | Curve> {
  const missing = requiredKube(['kustomize'])
  if (missing !== false) throw new Error(missing)
  for (const [count, goal] of [
    [1000, 40],
    [3000, 50],
  ] as const) {
    const world = worldOf(count)
    try {
      let theirs = ''
      // minutes on a busy machine: once is enough
      const peer = { run: () => (theirs = kustomize(world.folder)), rounds: 1 }
      const times = await contest({ own: { run: () => built(world.files) }, peer }, 5)
      if (built(world.files) !== theirs) throw new Error(`${count} objects: not as kustomize does`)
      yield {
        name: `build ${count} objects, in times of kustomize 5.8.1`,
        measured: times.peer / times.own,
        goal: { is: 'at least', than: goal },
        behind: `kustomize ${milliseconds(times.peer)}, tend ${milliseconds(times.own)}`,
      }
    } finally {
      world.remove()
    }
  }
  yield* growth()
}

async function* growth(): AsyncIterable<Row | Curve> {
  const worlds = { small: worldOf(1000), middle: worldOf(3000), large: worldOf(10_000) }
  try {
    const { small, middle, large } = await contest(
      {
        small: { run: () => built(worlds.small.files) },
        middle: { run: () => built(worlds.middle.files) },
        large: { run: () => built(worlds.large.files) },
      },
      5,
    )
    yield {
      name: 'build 10000 objects, against 1000',
      measured: large / small,
      goal: { is: 'at most', than: 12 },
      behind: `${milliseconds(large)} against ${milliseconds(small)}`,
    }
    const points = [
      [1000, small],
      [3000, middle],
      [10_000, large],
    ] as const
    yield { title: 'Time to build a kustomization', across: 'objects', up: 'ms', points }
  } finally {
    for (const world of Object.values(worlds)) world.remove()
  }
}

function built(files: Files): string {
  return buildKustomization({ files, path: 'overlay' }).text
}

/** The whole program, as there is no other way to have it: its start takes some hundredths of a second. */
function kustomize(folder: string): string {
  const { status, stdout, stderr } = spawnSync(
    kubeTool('kustomize'),
    ['build', join(folder, 'overlay')],
    { encoding: 'utf8', maxBuffer: 1 << 29 },
  )
  if (status !== 0) throw new Error(stderr)
  return stdout
}

/** A file for every ten objects, and an overlay with prefix, namespace, images and labels. */
function worldOf(count: number) {
  const texts = new Map<string, string>()
  const names: string[] = []
  for (let from = 0; from < count; from += 10) {
    const name = `part-${from}.yaml`
    names.push(name)
    texts.set(`base/${name}`, Array.from({ length: 10 }, (_, i) => object(from + i)).join('---\n'))
  }
  texts.set('base/kustomization.yaml', `resources:\n${names.map((name) => `- ${name}\n`).join('')}`)
  texts.set(
    'overlay/kustomization.yaml',
    `resources: [../base]
namePrefix: bench-
namespace: bench
images: [{ name: nginx, newTag: "1.27" }, { name: redis, newName: mirror/redis }]
labels: [{ pairs: { team: bench }, includeSelectors: true }]
`,
  )
  const folder = mkdtempSync(join(tmpdir(), 'tend-bench-build-'))
  for (const part of ['base', 'overlay']) mkdirSync(join(folder, part))
  for (const [path, text] of texts) writeFileSync(join(folder, path), text)
  const bytes = new Map([...texts].map(([path, text]) => [path, Buffer.from(text)]))
  const files: Files = {
    read: (path) => bytes.get(path),
    isDirectory: (path) => path === '' || path === 'base' || path === 'overlay',
    list: (path) => [...bytes.keys()].filter((each) => each.startsWith(`${path}/`)),
  }
  return { folder, files, remove: () => rmSync(folder, { recursive: true }) }
}

/** Half of them Deployments that mount a ConfigMap, half ConfigMaps. */
function object(index: number): string {
  if (index % 2 === 0) {
    return `apiVersion: v1
kind: ConfigMap
metadata:
  name: config-${index}
data:
  index: "${index}"
  host: service-${index}.example
`
  }
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: app-${index}
spec:
  replicas: 2
  selector:
    matchLabels:
      app: app-${index}
  template:
    metadata:
      labels:
        app: app-${index}
    spec:
      containers:
      - name: main
        image: ${index % 4 === 1 ? 'nginx:1.25' : 'redis:7'}
        ports:
        - containerPort: 8080
        envFrom:
        - configMapRef:
            name: config-${index - 1}
`
}
