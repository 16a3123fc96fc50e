/** A reconcile that is killed at random moments, again and again: no row is lost, no cluster is without one, and the last run converges. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fleetBench } from '../testbed/fleet.ts'
import { endProxy } from '../testbed/haproxy.ts'
import { required } from '../testbed/packages.ts'
import { freePort } from '../testbed/port.ts'
import { portainerStandIn } from '../testbed/portainer-stand-in.ts'

const moments = process.env['TEND_FAULTS'] === 'all' ? 100 : 20
/** Calls of a whole run, more or less: some kills come before the first, some when all is done. */
const longest = 16

test(
  'killed at random moments, the next run converges with no orphan and no lost row',
  {
    skip: required('haproxy'),
  },
  async () => {
    const seed = Number(process.env['TEND_SEED'] ?? Date.now() % 100_000)
    const random = randomFrom(seed)
    const portainer = await portainerStandIn()
    const bench = await fleetBench()
    const { fleet, start, sql, standing, folder, write } = bench
    const proxy = join(folder, 'proxy')
    const key = { PORTAINER_KEY: portainer.key }
    write({
      'fleet.yaml': `baseDomain: fleet.test
haproxy: { folder: ${proxy}, http: '127.0.0.1:${await freePort()}' }
portainer: { url: '${portainer.url}', key: { variable: PORTAINER_KEY } }
`,
    })
    const wanted = new Set(['keep'])
    function declare(name: string): void {
      const port = 20_000 + wanted.size + Number(name.split('-')[1] ?? 0) * 7
      sql(`insert into clusters (name, provider, http_port) values ('${name}', 'k3d', ${port})`)
      wanted.add(name)
    }
    function dismiss(name: string): void {
      sql(`update clusters set desired_state = 'absent' where name = '${name}'`)
      wanted.delete(name)
    }
    const rows = (): readonly string[] =>
      sql('select name from clusters').map(({ name }) => String(name))
    const callsSoFar = (): number => {
      const file = join(folder, 'k3d/calls')
      const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').length : 0
      return lines + portainer.asked.length
    }
    try {
      assert.equal((await fleet('init')).code, 0)
      wanted.delete('keep')
      declare('keep')
      assert.equal((await fleet('bootstrap')).code, 0)
      for (let moment = 1; moment <= moments; moment += 1) {
        declare(`fresh-${moment}`)
        const others = [...wanted].filter((name) => name !== 'keep')
        if (others.length > 2) dismiss(others[Math.floor(random() * others.length)]!)
        const at = Math.floor(random() * longest)
        const before = callsSoFar()
        const going = start('reconcile --from-db', key)
        let isOver = false
        void going.told.then(() => (isOver = true))
        while (!isOver && callsSoFar() - before < at) await sleep(2)
        await sleep(random() * 20)
        going.child.kill('SIGKILL')
        await going.told
        const told = `seed ${seed}, kill ${moment} at call ${at}`
        const known = new Set(rows())
        for (const name of wanted) assert.ok(known.has(name), `${told}: the row of ${name} is lost`)
        for (const name of standing()) assert.ok(known.has(name), `${told}: ${name} has no row`)
      }
      const ran = await fleet('reconcile --from-db --prune-missing', key)
      assert.equal(ran.code, 0, `seed ${seed}: ${ran.out}${ran.err}`)
      const all = [...wanted].toSorted()
      assert.deepEqual(standing().toSorted(), all)
      assert.deepEqual(rows().toSorted(), all)
      assert.deepEqual(portainer.endpoints.map(({ Name }) => Name).toSorted(), all)
      const routes = readFileSync(join(proxy, 'routes.map'), 'utf8').trim().split('\n')
      assert.deepEqual(routes.map((line) => line.replace(/\..*/, '')).toSorted(), all)
      assert.equal((await fleet('verify')).code, 0)
      assert.equal((await fleet('reconcile --dry-run', key)).code, 0, 'nothing is left to do')
    } finally {
      await endProxy(proxy)
      await bench.close()
      await portainer.close()
    }
  },
)

function randomFrom(seed: number): () => number {
  let state = seed + 1
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state / 0x80000000
  }
}
