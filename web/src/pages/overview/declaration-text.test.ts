/** The file that the first page writes is one that the service reads, and says what was typed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { declarationsFrom } from '#controller/declare/declarations-from.ts'
import { readYaml } from '#formats/yaml/read-yaml.ts'
import { loadDeclarations } from '#kinds/all.ts'
import {
  addedLines,
  declarationText,
  intervalHint,
  nameHint,
  type FirstApp,
} from './declaration-text.ts'

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

function readOf(text: string) {
  const files = [{ path: '/etc/tend/tend.yaml', text }]
  return declarationsFrom({ files, environment: {}, kinds })
}

function loaded(app: FirstApp, text = declarationText(app)) {
  const { declarations, problems } = readOf(text)
  assert.deepEqual(problems, [], text)
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
        sources: { main: { git: usual.from, ref } },
        apps: [{ stack: name, path, target, interval }],
      })
    }),
  )
})

test('what is added beside others leaves them and where the service listens as they are', () => {
  const { sources, apps } = addedLines({ ...usual, name: 'shop', ref: 'v2' })
  assert.doesNotMatch(sources + apps, /^(listen|sources|apps):/m)
  const there = 'listen: 127.0.0.1:9000\nsources:\n  main:\n    directory: /srv/stacks\n'
  const file = `${there}${sources}apps:\n  - stack: web\n    source: main\n${apps}`
  const [web, shop, ...others] = loaded(usual, file)
  assert.deepEqual(others, [])
  assert.deepEqual([web?.application.name, web?.source.kind], ['web', 'directory'])
  assert.deepEqual([shop?.application.name, shop?.source.kind], ['shop', 'git'])
})

test('a hint at a name or an interval that would be refused, and none at one that is taken', () => {
  for (const kind of ['stack', 'chart', 'kustomization']) {
    for (const name of ['Web shop', 'ü', '-a', 'a/b', 'a\tb', 'web', 'shop-2', '0']) {
      const { problems } = readOf(declarationText({ ...usual, kind, name }))
      if (problems.length > 0) assert.ok(nameHint(name), name)
    }
  }
  assert.deepEqual(['web', 'shop-2', '0', ''].map(nameHint), Array(4).fill(undefined))
  for (const interval of ['5', '5 minutes', 'soon', '1x', '5m', '1h30m', 'off', '1.5h', '2d', '']) {
    const { problems } = readOf(declarationText({ ...usual, interval }))
    assert.equal(intervalHint(interval) === undefined, problems.length === 0, interval)
  }
})
