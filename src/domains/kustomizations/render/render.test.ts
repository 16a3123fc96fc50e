/** What a render refuses before anyone is asked, and that it leaves nothing out in silence. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filesOf } from '../../../../test/conformance/kustomize.ts'
import { renderKustomization } from './render.ts'
import { readSpec } from '../spec.ts'

const least = { interval: '1m', prune: true, sourceRef: { kind: 'GitRepository', name: 'x' } }

function rendered(files: Readonly<Record<string, string>>, spec: object = {}) {
  return renderKustomization({
    files: filesOf({ files }),
    spec: readSpec({ ...least, ...spec }).spec,
    surroundings: { variables: new Map(), ageKeys: [] },
    owner: { namespace: 'flux-system', name: 'apps' },
    revision: 'r1',
    seed: new Uint8Array([7]),
  })
}

async function said(text: string) {
  const { resources } = await rendered({ 'app/s.yaml': text }, { path: './app' })
  return resources.flatMap(({ problems }) =>
    problems.map(({ at, message }) => `${at?.file}:${at?.line}: ${message}`),
  )
}

const secret = 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: pw\n  namespace: default\n'

test('values of a Secret that are no texts are refused with their lines, and never left out', async () => {
  const text = `${secret}stringData:\n  password: 12345\n  ok: fine\n  on: true\n  none:\n`
  assert.deepEqual(await said(text), [
    'app/s.yaml:7: stringData.password: expected a text, got a number; stringData.on: expected a text, got a boolean (line 9)',
  ])
  assert.deepEqual(await said(`${secret}data: { port: 5432 }\n`), [
    'app/s.yaml:6: data.port: expected a text, got a number',
  ])
  assert.deepEqual(await said(`${secret}data: [a]\n`), ['app/s.yaml:6: data is a list, not a map'])
  assert.deepEqual(await said(`${secret}stringData: { port: "5432", on: 'true' }\n`), [])
  const { vault } = await rendered({ 's.yaml': text })
  assert.equal(vault.contents().size, 4)
})

test('data of a Secret that is no base64 is refused, and its words are in no message', async () => {
  assert.deepEqual(await said(`${secret}data:\n  user: bWU=\n  password: hunter2\n`), [
    'app/s.yaml:8: data.password is not base64',
  ])
  assert.deepEqual(await said(`${secret}data: { a: "bW U=" }\n`), [
    'app/s.yaml:6: data.a is not base64',
  ])
  const lines = `${secret}data:\n  a: |\n    bWUgYW5k\n    IHlvdQ==\n  empty: ''\n`
  assert.deepEqual(await said(lines), [])
  const { vault } = await rendered({ 's.yaml': lines })
  const values = [...vault.contents().values()].map((bytes) => Buffer.from(bytes).toString())
  assert.deepEqual(values, ['bWUgYW5kIHlvdQ==', ''])
})

test('all variables without a value are told, each with the line that it stands in', async () => {
  const map = (name: string, data: string) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: a\n${data}`
  const files = {
    'k/a.yaml': `${map('a', 'data:\n  x: ${known}\n  y: "${othr:=fine}"\n')}---\n${map('b', 'data:\n  z: ${othr}\n')}`,
    'k/c.yaml': map('c', 'data:\n  one: ${known}\n  two: x${third}\n'),
  }
  const postBuild = { substitute: { known: 'v' } }
  const { problems } = await rendered(files, { path: './k', postBuild })
  assert.deepEqual(
    problems.map(({ at, message }) => `${at?.file}:${at?.line}: ${message}`),
    ['k/a.yaml:16: the variable othr has no value, nor have: third (k/c.yaml:8)'],
  )
})

test('labels that are no texts are left to the server to refuse', async () => {
  const marks = 'labels: { count: 1 }'
  const map = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: m, namespace: a, ${marks} }\n`
  const more = { commonMetadata: { labels: { team: 'a' } } }
  const spec = JSON.stringify((await rendered({ 'm.yaml': map }, more)).resources[0]?.spec)
  assert.match(spec, /"count":1/)
})
