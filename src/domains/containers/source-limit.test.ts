/** All applications of one source together have a bounded number of containers on an engine; those of others do not count. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { denyAll } from '#model/policy.ts'
import type { Ref } from '#model/ref.ts'
import type { Observed, Resource } from '#model/resource.ts'
import type { Confinement } from './confinement.ts'
import { emptyEngineMemory } from './memory.ts'
import { emptySourceMemory, mostOfSource, noteSources, withinSource } from './source-limit.ts'
import { targetOf } from './target.ts'

function containers(count: number): readonly Resource[] {
  return Array.from({ length: count }, (_, index) => ({
    ref: `container/web-${index}` as const,
    spec: {},
    needs: [],
    origin: { file: 'compose.yaml', line: 2, column: 1 },
    problems: [],
  }))
}

function worldOf(wanted: readonly Resource[], kind: 'absent' | 'present'): Map<Ref, Observed> {
  const there = {
    kind: 'present',
    recorded: undefined,
    outputs: {},
    live: null,
    spares: [],
  } as const
  return new Map(wanted.map(({ ref }) => [ref, kind === 'absent' ? { kind } : there]))
}

const followed = new Set(['stack:a', 'stack:b', 'stack:c'])

function confinementOf(key: string, source: string): Confinement {
  return {
    owner: `here:${key}`,
    key,
    source,
    sources: { of: () => undefined, note() {}, hasFiles: () => false },
    policy: denyAll,
    ownRoots: [],
    files: { folder: '/f', seenAs: '/f', home: '/h' },
    ownFolder: '/f/own',
    sees: () => true,
    tasks: { perform: () => Promise.reject(new Error('nothing is to be done')) },
    cacheKey: 'k',
    neighbour: (other) => (followed.has(other) ? { comes: 'first' } : undefined),
  }
}

function listOf(
  key: string,
  source: string,
  count: number,
): readonly { labels: Record<string, string> }[] {
  const labels = { 'tend/owner': `here:${key}`, 'tend/source': source }
  return Array.from({ length: count }, () => ({ labels }))
}

test('what is not there yet is refused with its line, where others of the source have taken the room', () => {
  const memory = emptySourceMemory()
  const look = (key: string, source: string, count: number, kind: 'absent' | 'present'): string => {
    const wanted = containers(count)
    const world = withinSource(worldOf(wanted, kind), wanted, confinementOf(key, source), memory)
    const refused = [...world.values()].flatMap((seen) =>
      seen.kind !== 'unknown' && seen.forecast?.kind === 'refused' ? [seen.forecast.problem] : [],
    )
    return `${refused.length} ${refused[0]?.message ?? ''} ${refused[0]?.at?.line ?? ''}`.trim()
  }
  assert.equal(look('stack:a', 'one', mostOfSource - 10, 'absent'), '0')
  // not made yet, and counted all the same
  const told = `with it all applications of one have ${mostOfSource + 1} containers on this engine, more than ${mostOfSource}`
  assert.equal(look('stack:b', 'one', 11, 'absent'), `11 ${told} 2`)
  assert.equal(look('stack:b', 'one', 10, 'absent'), '0')
  assert.equal(look('stack:b', 'two', 11, 'absent'), '0', 'another source')
  assert.equal(look('stack:c', 'one', 1, 'present'), '0', 'it runs')
  // the other is gone, and what it left is not
  followed.delete('stack:a')
  noteSources(memory, listOf('stack:a', 'one', mostOfSource - 20))
  assert.equal(look('stack:b', 'one', 20, 'absent').slice(0, 3), '20 ')
  noteSources(memory, listOf('stack:a', 'one', 5))
  assert.equal(look('stack:b', 'one', 20, 'absent'), '0')
})

test('every look at a followed application counts', async () => {
  const memory = emptyEngineMemory()
  noteSources(memory.sources, listOf('stack:a', 'one', mostOfSource))
  const nothing = (): Promise<never> => Promise.reject(new Error('nothing is to be done'))
  const site = targetOf({
    memory,
    candidatesOf: () => [],
    seen() {},
    gates: () => [],
    observe: async ({ wanted }) => worldOf(wanted, 'absent'),
    operate: nothing,
    look: nothing,
    async *watch() {},
  })
  const wanted = containers(1)
  const { signal } = new AbortController()
  const request = { owner: 'here:stack:b', wanted, refresh: false, signal, report() {} }
  const seen = await site.confined(confinementOf('stack:b', 'one')).observe(request)
  assert.match(JSON.stringify([...seen.values()]), /all applications of one have 5001 containers/)
  // by hand nothing is counted
  assert.deepEqual([...(await site.target.observe(request)).values()], [{ kind: 'absent' }])
})
