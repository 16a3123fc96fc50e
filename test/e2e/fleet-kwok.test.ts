/** Real control planes from the table: kwok clusters are made at once, stopped ones started, absent ones deleted. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fleetBench, summaryIn } from '../testbed/fleet.ts'
import { kubeTool, requiredKube } from '../testbed/kube-tools.ts'
import { whereIs } from '../testbed/packages.ts'

const skip = requiredKube(['kube-apiserver', 'kwokctl', 'kwok', 'kubectl'])

test(
  'three real control planes are made, told apart, started again and deleted',
  { skip },
  async () => {
    const bench = await fleetBench()
    const { fleet, write, folder, sql } = bench
    write({
      'fleet.yaml': `providers:
  kwok:
    program: ${kubeTool('kwokctl')}
    folder: ${join(folder, 'kwok')}
    components: [etcd, kube-apiserver]
    config:
      options:
        etcdBinary: ${whereIs('etcd')}
        kubeApiserverBinary: ${kubeTool('kube-apiserver')}
        kwokControllerBinary: ${kubeTool('kwok')}
        kubectlBinary: ${kubeTool('kubectl')}
`,
    })
    try {
      await fleet('init')
      for (const name of ['one', 'two', 'three']) await fleet(`add ${name} --provider kwok`)
      const made = await fleet('reconcile --from-db')
      assert.equal(made.code, 0, made.out + made.err)
      assert.equal((await fleet('verify')).code, 0)
      const config = (await fleet('kubeconfig two')).out
      assert.match(config, /server: https:\/\/127\.0\.0\.1:\d+/)
      assert.equal((await fleet('stop two')).code, 0)
      assert.equal((await fleet('verify')).code, 11)
      const started = await fleet('reconcile --from-db')
      assert.equal(started.code, 0, started.out)
      assert.equal(summaryIn(started.out).get('two')?.['action'], 'start')
      const pid = Number(readFileSync(join(folder, 'kwok/clusters/one/pids/etcd.pid'), 'utf8'))
      process.kill(pid, 'SIGKILL')
      const dead = await fleet('verify')
      assert.equal(dead.code, 11, dead.out)
      assert.match(dead.out, /one .*DRIFT +its etcd is stopped/)
      const mended = await fleet('reconcile --from-db')
      assert.equal(mended.code, 0, mended.out + mended.err)
      assert.equal(summaryIn(mended.out).get('one')?.['action'], 'start')
      await fleet('rm two')
      assert.equal((await fleet('reconcile --from-db')).code, 0)
      assert.deepEqual(
        sql('select name from clusters order by name').map(({ name }) => name),
        ['one', 'three'],
      )
    } finally {
      await fleet('clean --all')
      await bench.close()
    }
  },
)
