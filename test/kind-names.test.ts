/** The engine, the store, the controller and the server know kinds of application through `kinds/`, and none by its name. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { allKinds } from '#kinds/all.ts'

const rooms = ['engine', 'model', 'store', 'controller', 'server']

/** Files that may name a kind, all for the sake of compatibility, each with its reason and how often it does. */
const exceptions: Readonly<Record<string, { readonly times: number; readonly why: string }>> = {
  'src/server/shapes/origin.ts': { times: 1, why: "docker-cd's endpoints list stacks alone" },
  'src/controller/strays.ts': { times: 1, why: 'only docker-cd leaves stacks behind' },
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
