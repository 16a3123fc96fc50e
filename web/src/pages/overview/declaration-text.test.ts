/** The file that the first page writes is one that the service reads, and says what was typed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { declarationsFrom } from '#controller/declare/declarations-from.ts'
import { readYaml } from '#formats/yaml/read-yaml.ts'
import { loadDeclarations } from '#kinds/all.ts'
import { declarationText, type FirstApp } from './declaration-text.ts'

const kinds = await loadDeclarations()
const usual: FirstApp = {
  kind: 'stack',
  name: 'web',
  from: 'https://git.example.org/team/site.git',
  ref: 'main',
  path: 'web',
  target: '',
  interval: '1m',
  drift: 'revert',
}

function loaded(app: FirstApp) {
  const files = [{ path: '/etc/tend/tend.yaml', text: declarationText(app) }]
  const { declarations, problems } = declarationsFrom({ files, environment: {}, kinds })
  assert.deepEqual(problems, [], declarationText(app))
  assert.ok(declarations)
  return declarations.apps
}

test('as it stands, and for each kind that can be chosen', () => {
  for (const kind of ['stack', 'chart', 'kustomization']) {
    const [app] = loaded({ ...usual, kind })
    assert.deepEqual([app?.application.kind, app?.application.name], [kind, 'web'])
  }
})

test('a folder, a target, an interval, what is done about drift, and what is left empty', () => {
  const [app] = loaded({
    ...usual,
    from: '/srv/stacks',
    target: 'unix:///run/podman/podman.sock',
    interval: '10m',
    drift: 'flag',
  })
  assert.equal(app?.source.kind, 'directory')
  assert.equal(app?.target, 'unix:///run/podman/podman.sock')
  assert.deepEqual([app?.policy.interval, app?.policy.drift], [600_000, 'flag'])
  const [bare] = loaded({ ...usual, name: '', ref: '', path: '', interval: '' })
  assert.deepEqual([bare?.application.name, bare?.path], ['web', ''])
})

test('words that YAML reads otherwise stay what was typed', () => {
  for (const name of ['on', 'no', 'null', '1e3', '0123', 'y']) {
    assert.equal(loaded({ ...usual, name })[0]?.application.name, name)
  }
})

test('whatever is typed, the file is one document that says just that', () => {
  const text = fc.string({ minLength: 1, unit: 'grapheme' })
  fc.assert(
    fc.property(text, text, text, text, text, (name, ref, path, target, interval) => {
      const written = declarationText({ ...usual, name, ref, path, target, interval })
      const { documents } = readYaml(written)
      assert.equal(documents.length, 1)
      assert.deepEqual(documents[0]?.value, {
        listen: '127.0.0.1:8080',
        sources: { main: { git: usual.from, ref } },
        apps: [{ stack: name, path, target, interval }],
      })
    }),
  )
})
