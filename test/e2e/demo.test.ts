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
    rmSync(state, { recursive: true, force: true })
  }
})
