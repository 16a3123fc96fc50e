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
  'src/cli/commands/get.ts': { times: 3, why: "Flux's words for objects of a cluster" },
  'src/cli/commands/history.ts': { times: 1, why: 'somebody typed kustomization/NAME' },
  'src/cli/service/offers.ts': { times: 1, why: '--offer fleet=FILE is a word that people type' },
  'src/cli/views/labels.ts': { times: 1, why: 'only charts have manifests such as CuteContainer' },
  'src/controller/declare/declarations-from.ts': {
    times: 2,
    why: 'keys that people write in tend.yaml in place of apps',
  },
  'src/controller/discovery/unmanaged.ts': { times: 1, why: 'only docker-cd leaves stacks behind' },
}

/** The bridge to Flux's objects is about one kind by its nature, and so are the verbs that only one kind has. */
const ofOneKind = [
  'src/controller/flux/',
  ...['chart', 'compose', 'fleet', 'kube', 'kustomize', 'stack'].map((one) => `src/cli/${one}/`),
  ...['compose', 'fleet', 'kube', 'kustomize'].map((one) => `src/cli/commands/${one}/`),
]

/** Files that all kinds share and that import a domain all the same, each with its reason. */
const domainImports: Readonly<Record<string, string>> = {
  'src/cli/application/run-inputs.ts': 'values of charts are kept with a run: types alone',
  'src/cli/commands/create.ts': 'the verb writes a chart, and has no other kind',
  'src/cli/commands/template.ts': 'the verb prints templates of a chart: types alone',
  'src/cli/open-session.ts': 'tests of verbs put a simpler render of charts in place',
  'src/cli/session.ts': 'tests of verbs put a simpler render of charts in place: types alone',
  'src/controller/monitor/app-health.ts': 'the health of a listed container',
  'src/controller/monitor/container-records.ts': 'the health of a listed container',
  'src/controller/monitor/detect-drift.ts': 'the health of a listed container',
  'src/controller/monitor/health-checks.ts': 'the health of a listed container',
  'src/controller/monitor/target-monitor.ts': 'the health of a listed container',
}

function timesNamed(file: string): number {
  const names = allKinds.flatMap(({ name, words }) => [name, words.plural]).join('|')
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

test('front ends, controller and server reach domains through kinds/', () => {
  const found = globSync('src/{controller,server,cli}/**/*.ts').filter((file) => {
    if (file.endsWith('.test.ts') || ofOneKind.some((folder) => file.startsWith(folder))) {
      return false
    }
    return readFileSync(file, 'utf8').includes("'#domains/")
  })
  assert.deepEqual(found.toSorted(), Object.keys(domainImports).toSorted())
})
