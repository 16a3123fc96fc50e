/** The demo with its clusters: a fleet of two control planes by kwok, a kustomization on one of them; `--down` leaves nothing of them. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { requiredKube } from '../testbed/kube-tools.ts'
import { required } from '../testbed/packages.ts'

const skip =
  required('podman') ||
  requiredKube([
    'kube-apiserver',
    'kube-controller-manager',
    'kube-scheduler',
    'kubectl',
    'kwok',
    'kwokctl',
  ])

await test('the demo shows each kind', { skip }, (t) => {
  const state = mkdtempSync(join(tmpdir(), 'tend-demo-'))
  const env = {
    ...process.env,
    XDG_STATE_HOME: state,
    CONTAINER_HOST: '/nowhere.sock',
    DOCKER_HOST: 'unix:///nowhere.sock',
  }
  function demo(...words: readonly string[]): string {
    const all = ['node', 'demo/run.ts', ...words]
    const { status, stdout, stderr } = spawnSync('bin/set-up', all, { env, encoding: 'utf8' })
    assert.equal(status, 0, stdout + stderr)
    return stdout
  }
  const processes = () => spawnSync('pgrep', ['-f', state], { encoding: 'utf8' }).stdout
  try {
    const began = Date.now()
    const said = demo()
    const seconds = (Date.now() - began) / 1000
    t.diagnostic(`from nothing to all kinds in ${seconds.toFixed(1)} s`)
    assert.ok(seconds < 60, `it took ${seconds} s`)
    const podman = dirname(/a private service was started: unix:\/\/(\S+)/.exec(said)?.[1] ?? '/')
    assert.ok(existsSync(podman))
    assert.match(said, /^service\/hello +chart +✓ synced +✓ healthy/m)
    assert.match(said, /^page +stack +✓ synced +✓ healthy/m)
    assert.match(said, /^\S*web +kustomization +✓ synced +✓ healthy/m)
    assert.match(said, /^fleet +fleet +✓ synced +✓ healthy/m)
    for (const name of ['east', 'west']) {
      assert.match(said, new RegExp(`^${name} +kwok +present +running`, 'm'))
    }
    assert.match(demo(), /0 deleted, 5 unchanged/)
    demo('--down')
    assert.deepEqual(readdirSync(state), [])
    assert.ok(!existsSync(podman), podman)
    assert.equal(processes(), '')
  } finally {
    demo('--down', '--yes')
    rmSync(state, { recursive: true, force: true })
  }
})
