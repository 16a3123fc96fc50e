/** The engine, the store, the controller and the server know kinds of application through `kinds/`, and none by its name. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { allKinds } from '#kinds/all.ts'

const rooms = ['engine', 'model', 'store', 'controller', 'server']

/** Files that may name a kind, each with its reason and how often it does. A number may shrink, never grow. */
const exceptions: Readonly<Record<string, { readonly times: number; readonly why: string }>> = {
  'src/server/shapes/origin.ts': { times: 1, why: "docker-cd's endpoints list stacks alone" },
  'src/controller/strays.ts': { times: 1, why: 'only docker-cd leaves stacks behind' },
  'src/controller/absorb.ts': { times: 1, why: 'discovery still looks for stacks and charts' },
  'src/controller/open-service.ts': {
    times: 1,
    why: 'discovery still looks for stacks and charts',
  },
  'src/controller/declare/discover.ts': {
    times: 8,
    why: 'discovery still looks for stacks and charts',
  },
  'src/controller/declare/declarations-from.ts': {
    times: 3,
    why: 'tend.yaml is not yet read by kinds',
  },
  'src/controller/declare/apps.ts': { times: 11, why: 'tend.yaml is not yet read by kinds' },
  'src/controller/declare/nested.ts': { times: 1, why: 'tend.yaml is not yet read by kinds' },
  'src/controller/unit.ts': {
    times: 1,
    why: "Flux's objects are not yet a declaration like others",
  },
  'src/controller/guard-for.ts': {
    times: 1,
    why: "Flux's objects are not yet a declaration like others",
  },
  'src/store/past.ts': {
    times: 1,
    why: 'the command that lists runs is not yet given by its kind',
  },
}

/** The bridge to Flux's objects is about one kind by its nature. */
const ofOneKind = ['src/controller/flux/']

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
