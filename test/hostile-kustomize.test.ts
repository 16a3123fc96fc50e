/** Kustomizations that are deep, wide or go in circles: each comes to an end soon, with an error that can be read or with its objects. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildKustomization } from '#formats/kustomize/build.ts'
import { KustomizeError } from '#formats/kustomize/error.ts'

type Texts = Readonly<Record<string, string>>

function built(texts: Texts): number | string {
  const folders = new Set(['', ...Object.keys(texts).flatMap(above)])
  const files = {
    read: (path: string) => (texts[path] === undefined ? undefined : Buffer.from(texts[path])),
    isDirectory: (path: string) => folders.has(path),
    list: () => [],
  }
  try {
    return buildKustomization({ files, path: '' }).resources.length
  } catch (error) {
    if (!(error instanceof KustomizeError)) throw error
    return error.message
  }
}

function above(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

const object = (name: string, more = ''): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\n${more}`

function chain(length: number): Texts {
  const texts: Record<string, string> = {
    [`b${length - 1}/a.yaml`]: object('a'),
    'kustomization.yaml': 'resources: [b0]\n',
  }
  for (let index = 0; index < length; index += 1) {
    const next = index + 1 === length ? 'a.yaml' : `../b${index + 1}`
    texts[`b${index}/kustomization.yaml`] = `resources: [${next}]\nnamePrefix: x\n`
  }
  return texts
}

/** Each of ten bases names the next level ten times by other folders: all paths lead to it. */
function wide(levels: number): Texts {
  const texts: Record<string, string> = {
    [`l${levels - 1}/a.yaml`]: object('a'),
    'kustomization.yaml': 'resources: [l0]\n',
  }
  for (let level = 0; level < levels; level += 1) {
    const below =
      level + 1 === levels
        ? '[a.yaml]'
        : `[${Array.from({ length: 10 }, (_, i) => `../l${level + 1}/../l${level + 1}${'/.'.repeat(i)}`).join(', ')}]`
    texts[`l${level}/kustomization.yaml`] = `resources: ${below}\n`
  }
  return texts
}

const hostile: Readonly<Record<string, Texts>> = {
  'a chain of bases': chain(500),
  'bases in a circle': {
    'kustomization.yaml': 'resources: [a]\n',
    'a/kustomization.yaml': 'resources: [../b]\n',
    'b/kustomization.yaml': 'resources: [../a]\n',
  },
  'bases that multiply': wide(6),
  'an object that is nested without end': {
    'kustomization.yaml': 'resources: [a.yaml]\n',
    'a.yaml': object('a', `data: ${'['.repeat(100_000)}`),
  },
  'maps in maps': {
    'kustomization.yaml': 'resources: [a.yaml]\ncommonLabels: { a: b }\n',
    'a.yaml': object('a', `data: ${'{a: '.repeat(3_000)}1${'}'.repeat(3_000)}\n`),
  },
  'aliases that multiply': {
    'kustomization.yaml': 'resources: [a.yaml]\n',
    'a.yaml': `x: &a0 [1,1,1,1,1,1,1,1,1,1]\n${Array.from({ length: 9 }, (_, i) => `y${i}: &a${i + 1} [${`*a${i},`.repeat(10)}]\n`).join('')}`,
  },
  'a path of a patch that is long': {
    'kustomization.yaml': `resources: [a.yaml]\npatches: [{ target: { kind: ConfigMap }, patch: '[{"op": "add", "path": "${'/a'.repeat(50_000)}", "value": 1}]' }]\n`,
    'a.yaml': object('a', 'data: { a: b }\n'),
  },
  'many generators': {
    'kustomization.yaml': `configMapGenerator:\n${Array.from({ length: 3_000 }, (_, i) => `- { name: c${i}, literals: [a=b] }\n`).join('')}`,
  },
}

for (const [name, texts] of Object.entries(hostile)) {
  test(name, (t) => {
    const begun = process.cpuUsage()
    const result = built(texts)
    const { user, system } = process.cpuUsage(begun)
    t.diagnostic(`${((user + system) / 1000).toFixed(0)} ms: ${String(result).slice(0, 120)}`)
    assert.ok(user + system < 20_000_000, `${user + system} µs`)
    assert.ok(typeof result === 'string' ? result !== '' : result > 0)
  })
}
