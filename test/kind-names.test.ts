/** The engine, the store, the controller, the server and the verbs that all kinds share know kinds of application through `kinds/`, and none by its name. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { allKinds } from '#kinds/all.ts'

const rooms = ['engine', 'model', 'store', 'controller', 'server', 'cli']

/** Files that may name a kind, each with its reason and how often it does. */
const exceptions: Readonly<Record<string, { readonly times: number; readonly why: string }>> = {
  'src/server/shapes/origin.ts': { times: 1, why: "docker-cd's endpoints list stacks alone" },
  'src/cli/arguments/compose-values.ts': { times: 1, why: 'flags of the compose verbs alone' },
  'src/cli/arguments/find-verb.ts': { times: 1, why: 'fleet is the first word of verbs' },
  'src/cli/arguments/help.ts': { times: 1, why: 'fleet is the first word of verbs' },
  'src/cli/commands/get.ts': { times: 1, why: "Flux's word for objects of a cluster" },
  'src/cli/commands/history.ts': { times: 1, why: 'somebody typed kustomization/NAME' },
  'src/cli/service/offers.ts': { times: 1, why: '--offer fleet=FILE is a word that people type' },
  'src/cli/views/labels.ts': { times: 1, why: 'only charts have manifests such as CuteContainer' },
  'src/controller/discovery/unmanaged.ts': { times: 1, why: 'only docker-cd leaves stacks behind' },
}

/** The bridge to Flux's objects is about one kind by its nature, and so are the verbs that only one kind has. */
const ofOneKind = [
  'src/controller/flux/',
  ...['chart', 'compose', 'fleet', 'kube', 'kustomize', 'stack'].map((one) => `src/cli/${one}/`),
  ...['compose', 'fleet', 'kube', 'kustomize'].map((one) => `src/cli/commands/${one}/`),
]

function timesNamed(file: string): number {
  const names = allKinds.map(({ name }) => name).join('|')
  const literal = new RegExp(`'(?:${names})'`, 'g')
  return [...readFileSync(file, 'utf8').matchAll(literal)].length
}

test('no kind is named where all are to be alike', () => {
  const found: Record<string, number> = {}
  for (const file of globSync(`src/{${rooms.join(',')}}/**/*.ts`)) {
    const isLeft = file.endsWith('.test.ts') || ofOneKind.some((folder) => file.startsWith(folder))
    const times = isLeft ? 0 : timesNamed(file)
    if (times > 0) found[file] = times
  }
  const allowed = Object.fromEntries(
    Object.entries(exceptions).map(([file, { times }]) => [file, times]),
  )
  assert.deepEqual(found, allowed)
})
