/** Files that SOPS encrypted are opened where a stack or a chart keeps its secrets, and nowhere else; what was in them is shown nowhere. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { renderChart } from '#domains/charts/render/render.ts'
import { input, manifest } from './fake/chart.ts'
import { withOpened } from '#domains/containers/encrypted-files.ts'
import { fieldsOf } from '#domains/stacks/expand/operation.ts'
import { serviceSpecOf } from '#domains/stacks/spec-of.ts'
import { isSealed } from '#model/value.ts'
import { messages, renderText, type Files } from './fake/stack-text.ts'

type Case = { readonly file: string; readonly encrypted: string; readonly plain: string }
const made: { readonly key: string; readonly other: string; readonly cases: readonly Case[] } =
  JSON.parse(readFileSync('test/conformance/cases/sops.json', 'utf8'))

function encrypted(file: string): string {
  return made.cases.find((one) => one.file === file)!.encrypted
}

const yaml = `services:
  web:
    image: app:\${A}
    command: ["\${B}"]
    env_file: [web.env]
    secrets: [token, pull]
    configs: [raw]
secrets:
  token: { file: some.txt }
  pull: { file: c.dockerconfigjson }
configs: { raw: { file: some.txt } }
`
const files = {
  '.env': encrypted('some.env'),
  'web.env': encrypted('some.env'),
  'some.txt': encrypted('some.txt'),
  'c.dockerconfigjson': encrypted('c.dockerconfigjson'),
}

function stack(keys: readonly string[], all: Files = files) {
  return withOpened(
    async () => keys,
    (opened) => renderText(yaml, {}, all, opened),
  )
}

test('a stack: variables, env_file and secrets are opened, a config is taken as it is', async () => {
  const { problems, resources, vault } = await stack([made.key])
  assert.deepEqual(problems, [])
  const spec = serviceSpecOf(resources.find(({ ref }) => ref === 'container/web-1')!.spec)
  assert.equal(spec.image, 'app:1')
  const environment = fieldsOf(spec.service['environment'])
  assert.deepEqual(Object.keys(environment), ['A', 'B', 'C', 'D', 'E'])
  assert.ok(Object.values(environment).every(isSealed))
  const held = [...vault.contents().values()].map((bytes) => Buffer.from(bytes).toString())
  const plain = made.cases.find(({ file }) => file === 'some.txt')!.plain
  for (const text of ['two words', plain, encrypted('some.txt')]) assert.ok(held.includes(text))
  const told = JSON.stringify(resources)
  for (const text of ['two words', 'r.example']) assert.ok(!told.includes(text), text)
})

test('without a key, or with another one, the file and the line that asks for it are named', async () => {
  const found = messages(await stack([], { ...files, '.env': 'A=1\nB=2\n' }))
  assert.match(
    found.join(),
    /^5: \/srv\/shop\/web\.env is encrypted with SOPS, and there is no key/,
  )
  const other = messages(await stack([made.other], { ...files, '.env': 'A=1\nB=2\n' }))
  assert.match(other.join(), /^5: .*web\.env can't be decrypted: /)
  const changed = { ...files, 'web.env': files['web.env'].replace('B=', 'F=') }
  assert.match(messages(await stack([made.key], changed)).join(), /F can't be decrypted/)
})

const chart = {
  'values.yaml': encrypted('two.yaml'),
  'web.env': encrypted('some.env'),
  'token.txt': encrypted('some.txt'),
  'templates/web.yaml': [
    manifest(
      'CuteContainer',
      'web',
      'image: x:1\nenvFile: web.env\nargs: ["--tag={{ .Values.word_secret }}"]\nenv: [{name: P, value: "{{ .Values.stringData.password }}"}]',
    ),
    manifest('CuteSecret', 'token', 'files: { token: token.txt }'),
  ].join('---\n'),
}

function rendered(keys: readonly string[]) {
  const layer = { kind: 'file', name: 'secret.yaml', text: encrypted('secret.yaml') } as const
  return withOpened(
    async () => keys,
    (opened) => renderChart({ ...input(chart), layers: [layer], opened }),
  )
}

test('a chart: values.yaml, further values, envFile and files of secrets are opened', async () => {
  const { problems, resources, vault, manifests } = await rendered([made.key])
  assert.deepEqual(problems, [])
  const held = [...vault.contents().values()].map((bytes) => Buffer.from(bytes).toString())
  const plain = made.cases.find(({ file }) => file === 'some.txt')!.plain
  for (const text of ['two words', 'hunter2', plain]) assert.ok(held.includes(text), text)
  const told = JSON.stringify([resources, manifests])
  for (const text of ['two words', 'hunter2']) assert.ok(!told.includes(text), text)
})

test('a chart without a key names each file', async () => {
  const { problems } = await rendered([])
  assert.deepEqual(
    problems.map(({ at, message }) => `${at?.file}:${at?.line} ${message}`).toSorted(),
    ['secret.yaml', 'values.yaml'].map(
      (file) => `${file}:1 it is encrypted with SOPS, and there is no key to open it`,
    ),
  )
  assert.match(problems[0]?.suggestion ?? '', /decryption: \{keyFiles/)
})
