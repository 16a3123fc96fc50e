/** The demo on a machine where no Podman answers: it sets all up, the service too, does nothing the second time, and takes all away. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { required } from '../testbed/packages.ts'

const skip = required('podman')

test('the demo', { skip }, async () => {
  const state = mkdtempSync(join(tmpdir(), 'tend-demo-'))
  const env = {
    ...process.env,
    XDG_STATE_HOME: state,
    CONTAINER_HOST: '/nowhere.sock',
    DOCKER_HOST: 'unix:///nowhere.sock',
  }
  function demo(...words: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync('bin/set-up', ['node', 'demo/run.ts', ...words], {
      env,
      encoding: 'utf8',
    })
    assert.equal(status, 0, stdout + stderr)
    return stdout
  }
  try {
    const first = demo('--no-clusters')
    assert.match(first, /a private service was started/)
    assert.match(first, /Resources: 5 created, 0 updated, 0 deleted/)
    assert.match(first, /says:\n\n {2}Hello from Tend\n/)
    assert.match(first, /^service\/hello +chart +✓ synced/m)
    assert.match(first, /^page +stack +✓ synced/m)
    assert.match(first, /^stack:page +2 .* refresh .* succeeded +\+0 ~1 -0/m)
    assert.match(first, /says now:\n\n {2}<h1>Hello from a commit<\/h1>\n/)
    assert.match(first, /Its token: +[0-9a-f]{48} /)
    assert.match(first, /Change it: +tend upgrade hello --set image=\S+ .*--set greeting=Morning/)
    const dashboard = /The dashboard: +(http:\S+)/.exec(first)?.[1] ?? ''
    assert.match(
      await (await fetch(dashboard, { headers: { accept: 'text/html' } })).text(),
      /<title>Tend/,
    )
    // what it offers is typed, as it stands there
    const lines = ['In this shell', '', 'Look around', 'The service'].map(
      (what) => new RegExp(`^${what}:? +(export .*|tend .*)`, 'm').exec(first)?.[1] ?? what,
    )
    const typed = spawnSync('sh', ['-ec', lines.join('\n')], { env, encoding: 'utf8' })
    assert.equal(typed.status, 0, typed.stdout + typed.stderr)
    assert.match(typed.stdout, /^hello 1\.0\.0 +healthy +run 1, .* from \.\/examples\/hello/m)
    assert.match(typed.stdout, /^1 .* manual +1\.0\.0 +succeeded +\+5 ~0 -0/m)
    assert.match(typed.stdout, /^stack:page: - suspended/m)
    const second = demo('--no-clusters')
    assert.match(second, /says:\n\n {2}<h1>Hello from a commit<\/h1>\n/)
    assert.doesNotMatch(second, /git commit|tend serve/)
    assert.match(second, /Resources: 0 created, 0 updated, 0 deleted, 5 unchanged/)
    assert.match(second, /says:\n\n {2}Hello from Tend\n/)
    const down = demo('--down')
    assert.match(down, /Resources: 0 created, 0 updated, 5 deleted/)
    assert.match(down, /The service is stopped/)
    assert.match(down, /private Podman service is stopped/)
    assert.deepEqual(readdirSync(state), [])
  } finally {
    spawnSync('bin/set-up', ['node', 'demo/run.ts', '--down', '--yes'], { env })
    rmSync(state, { recursive: true, force: true })
  }
})
