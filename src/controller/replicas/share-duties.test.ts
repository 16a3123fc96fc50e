import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Duty, DutyChange, ReplicaRow } from '#model/replicas.ts'
import { shareDuties, type KnownDuty } from './share-duties.ts'

const docker = 'stack unix:///a'

type Offered = { readonly target?: string; readonly engine?: string; readonly isSeen?: boolean }

function replica(id: string, ...offers: readonly Offered[]): ReplicaRow {
  const full = offers.map((one) => ({ target: docker, engine: 'e', isSeen: true, ...one }))
  const facts = { name: id, url: `http://${id}`, host: `host ${id}`, offers: full, wants: 0 }
  return { ...facts, id, slots: 0, expiresIn: 9000 }
}

function apps(count: number, target = docker): readonly KnownDuty[] {
  return Array.from({ length: count }, (_, at) => ({ key: `stack:${at}`, target, isBusy: false }))
}

/** A few rounds in which each in turn decides on what the others did before. */
function settled(
  replicas: readonly ReplicaRow[],
  known: readonly KnownDuty[],
  begin: readonly Duty[] = [],
): { readonly duties: ReadonlyMap<string, Duty>; readonly last: number } {
  const duties = new Map(begin.map((duty) => [duty.key, duty]))
  let last = 0
  for (let round = 0; round < 5; round += 1) {
    last = 0
    for (const { id } of replicas) {
      const isLeader = id === replicas[0]?.id
      const changes = shareDuties({ id, isLeader, replicas, duties, known })
      last += changes.length
      for (const { from: _, ...duty } of changes) duties.set(duty.key, duty)
    }
  }
  return { duties, last }
}

function countOf(duties: ReadonlyMap<string, Duty>, holder: string): number {
  return [...duties.values()].filter((duty) => duty.holder === holder).length
}

describe('sharing duties', () => {
  test('several that offer the same have equally many, and then nothing moves', () => {
    const three = [replica('a', {}), replica('b', {}), replica('c', {})]
    const { duties, last } = settled(three, apps(10))
    assert.deepEqual(
      ['a', 'b', 'c'].map((id) => countOf(duties, id)).toSorted((a, b) => a - b),
      [2, 4, 4],
    )
    assert.equal(last, 0)
  })

  test('the same address on another machine takes nothing away, and what is new finds somebody', () => {
    const [a, b] = [replica('a', { engine: 'e1' }), replica('b', { engine: 'e2' })]
    const before = settled([a], apps(10))
    // the new ones are known first
    const known = [...apps(14).slice(10), ...apps(10)]
    const decided = { id: 'a', isLeader: true, replicas: [a, b], duties: before.duties, known }
    assert.deepEqual(
      shareDuties(decided).filter(({ from }) => from === 'a'),
      [],
    )
    const { duties, last } = settled([a, b], known, [...before.duties.values()])
    for (const { key } of apps(10)) assert.equal(duties.get(key)?.holder, 'a', key)
    for (const { key } of known) assert.notEqual(duties.get(key)?.holder ?? '', '', key)
    assert.equal(last, 0)
  })

  test('of two machines with one name each keeps its own', () => {
    const named = (one: ReplicaRow): ReplicaRow => ({ ...one, host: 'debian' })
    const [a, b] = [named(replica('a', { engine: 'e1' })), named(replica('b', { engine: 'e2' }))]
    const { duties } = settled([a], apps(4))
    const both = settled([a, b], apps(4), [...duties.values()])
    assert.equal(countOf(both.duties, 'a'), 4)
    assert.equal(both.last, 0)
  })

  test('one that joins gets its share, what is busy stays', () => {
    const busy = apps(10).map((one) => ({ ...one, isBusy: true }))
    const alone = settled([replica('a', {})], apps(10))
    const two = [replica('a', {}), replica('b', {})]
    const held = settled(two, busy, [...alone.duties.values()])
    assert.equal(countOf(held.duties, 'a'), 10)
    const idle = settled(two, apps(10), [...alone.duties.values()])
    assert.deepEqual([countOf(idle.duties, 'a'), countOf(idle.duties, 'b')], [5, 5])
  })

  test('each has what it offers; what one that died had, the others take where they offer it', () => {
    const other = 'chart unix:///p'
    const known = [...apps(4), ...apps(3, other).map((one) => ({ ...one, key: `p${one.key}` }))]
    const three = [replica('a', {}), replica('b', {}, { target: other }), replica('c', {})]
    const before = settled(three, known)
    assert.ok([...before.duties.values()].every(({ holder }) => holder !== ''))
    const charts = [...before.duties.values()].filter(({ target }) => target === other)
    assert.deepEqual(new Set(charts.map(({ holder }) => holder)), new Set(['b']))
    const left = [replica('a', {}), replica('c', {})]
    const after = settled(left, known, [...before.duties.values()])
    const stacks = [...after.duties.values()].filter(({ target }) => target === docker)
    assert.ok(stacks.every(({ holder }) => holder === 'a' || holder === 'c'))
    // nobody offers them: they are the leader's, who tells that, and gives them back
    const orphans = [...after.duties.values()].filter(({ target }) => target === other)
    assert.ok(orphans.every(({ holder, engine }) => holder === 'a' && engine === 'e'))
    const back = settled(three, known, [...after.duties.values()])
    const again = [...back.duties.values()].filter(({ target }) => target === other)
    assert.ok(again.every(({ holder }) => holder === 'b'))
  })

  test('an engine of another machine with the same address is another engine', () => {
    const { duties } = settled([replica('a', { engine: 'first' })], apps(2))
    const other = [replica('b', { engine: 'second' })]
    const after = settled(other, apps(2), [...duties.values()])
    assert.ok([...after.duties.values()].every(({ engine }) => engine === 'first'))
    // the same machine after its engine was made anew
    const same = settled([{ ...replica('c', { engine: 'new' }), host: 'host a' }], apps(2), [
      ...duties.values(),
    ])
    assert.ok([...same.duties.values()].every(({ engine }) => engine === 'new'))
  })

  test('one that sees its engine goes before one that does not', () => {
    const two = [replica('a', { isSeen: false }), replica('b', {})]
    assert.equal(countOf(settled(two, apps(4)).duties, 'b'), 4)
    const blind = [replica('a', { isSeen: false }), replica('b', { isSeen: false })]
    assert.equal(countOf(settled(blind, apps(4)).duties, ''), 0)
  })

  test('what is declared to run elsewhere goes to who offers that', () => {
    const other = 'stack unix:///b'
    const two = [replica('a', {}), replica('b', { target: other, engine: 'f' })]
    const before = settled(two, apps(2))
    assert.equal(countOf(before.duties, 'a'), 2)
    const after = settled(two, apps(2, other), [...before.duties.values()])
    assert.equal(countOf(after.duties, 'b'), 2)
    assert.ok([...after.duties.values()].every(({ engine }) => engine === 'f'))
  })

  test('what it does not know it leaves alone', () => {
    const duty = { key: 'kustomization:x', target: 'k', engine: '', host: '', holder: 'gone' }
    const one = [replica('a', {})]
    const duties = new Map([[duty.key, duty]])
    const changes: readonly DutyChange[] = shareDuties({
      id: 'a',
      isLeader: true,
      replicas: one,
      duties,
      known: [],
    })
    assert.deepEqual(changes, [])
  })

  test('its work grows with applications, and not with applications times hosts', () => {
    const hosts = Array.from({ length: 500 }, (_, at) => `stack tcp://host-${at}`)
    const known = hosts.flatMap((target) =>
      Array.from({ length: 4 }, (_, at) => ({ key: `${target} ${at}`, target, isBusy: false })),
    )
    const replicas = ['a', 'b'].map((id) => replica(id, ...hosts.map((target) => ({ target }))))
    let looks = 0
    const duties = new Map<string, Duty>()
    const counted = new Proxy(duties, {
      get(all, name) {
        if (name === 'get') looks += 1
        const value: unknown = Reflect.get(all, name)
        return typeof value === 'function' ? value.bind(all) : value
      },
    })
    const changes = shareDuties({ id: 'a', isLeader: true, replicas, duties: counted, known })
    assert.equal(changes.length, known.length / 2)
    assert.ok(looks <= known.length * 3, `${looks} looks for ${known.length} applications`)
  })
})
