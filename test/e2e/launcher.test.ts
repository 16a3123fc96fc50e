/** What is typed is Tend's to read, not Node's: Node has an --env-file of its own, and NODE_OPTIONS in one would run code. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'

for (const form of ['--env-file %', '--env-file=%']) {
  test(`an env file given as ${form} does not reach Node`, (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'tend-launcher-'))
    t.after(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'evil.cjs'), `console.log('CODE RAN')`)
    writeFileSync(join(folder, 'evil.env'), `NODE_OPTIONS=--require=${folder}/evil.cjs\nTAG=7\n`)
    writeFileSync(join(folder, 'compose.yaml'), 'services: { web: { image: "some:$TAG" } }\n')
    const said = tend(folder, `compose config ${form.replace('%', 'evil.env')}`)
    assert.equal(said.status, 0, said.stderr)
    assert.doesNotMatch(said.stdout, /CODE RAN/)
    assert.match(said.stdout, /some:7/)
    const missing = tend(folder, `compose config ${form.replace('%', 'nope.env')}`)
    assert.equal(missing.status, 2)
    assert.match(missing.stderr, /nope\.env/)
  })
}

test('only a service is started with one arena, and not against what is said', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tend-launcher-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const node = join(folder, 'node')
  writeFileSync(node, '#!/bin/sh\necho "arenas: $MALLOC_ARENA_MAX"\n', { mode: 0o755 })
  const { MALLOC_ARENA_MAX: _, ...bare } = process.env
  const arenas = (verb: string, more: NodeJS.ProcessEnv = {}) =>
    spawnSync(resolve('release/tend'), [verb], {
      env: { ...bare, TEND_NODE: node, ...more },
      encoding: 'utf8',
    }).stdout.trim()
  assert.equal(arenas('serve'), 'arenas: 1')
  assert.equal(arenas('serve', { MALLOC_ARENA_MAX: '3' }), 'arenas: 3')
  assert.equal(arenas('status'), 'arenas:')
})

function tend(cwd: string, words: string) {
  return spawnSync(resolve('bin/tend'), words.split(' '), { cwd, encoding: 'utf8' })
}

test('all of a long output reaches a pipe whose reader is slow', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tend-launcher-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'kustomization.yaml'), 'resources: [long.yaml]\n')
  const data = Array.from({ length: 6_000 }, (_, index) => `  key${index}: ${'x'.repeat(20)}\n`)
  const head = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: long }\ndata:\n'
  writeFileSync(join(folder, 'long.yaml'), head + data.join(''))
  const line = `${resolve('bin/tend')} kustomize build ${folder} | (sleep 1; wc -l)`
  const { stdout } = spawnSync('sh', ['-c', line], { encoding: 'utf8' })
  assert.equal(Number(stdout), 6_005)
})
