import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildKustomization } from '../build.ts'
import { withKustomization } from '../load/generated-kustomization.ts'
import { substitute } from './substitute.ts'
import { filesOf } from '../../../../test/conformance/kustomize.ts'

function manifest(name: string, rest = ''): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${rest}`
}

test('a folder without a kustomization is all its manifests, and folders with one of their own', () => {
  const files = filesOf({
    files: {
      'apps/b.yaml': manifest('b'),
      'apps/README.md': 'no manifest',
      'apps/deep/a.yml': manifest('a'),
      'apps/own/kustomization.yaml': 'namePrefix: own-\nresources: [x.yaml]\n',
      'apps/own/x.yaml': manifest('x'),
      'apps/own/unlisted.yaml': 'not: an object\n',
    },
  })
  const { resources } = buildKustomization({
    files: withKustomization(files, 'apps'),
    path: 'apps',
    options: { reorder: 'none' },
  })
  assert.deepEqual(
    resources.map(({ place }) => place.file),
    ['apps/b.yaml', 'apps/deep/a.yml', 'apps/own/x.yaml'],
  )
})

test('a file that is no object stops it, with its name', () => {
  const files = filesOf({ files: { 'values.yaml': 'a: 1\n' } })
  assert.throws(() => withKustomization(files, ''), /^KustomizeError: values\.yaml:1: /)
})

test('a kustomization that is there is left alone', () => {
  const files = filesOf({ files: { Kustomization: 'namePrefix: x\n' } })
  assert.equal(withKustomization(files, ''), files)
})

function built(data: string) {
  const files = filesOf({
    files: { 'kustomization.yaml': 'resources: [a.yaml]\n', 'a.yaml': manifest('a', data) },
  })
  return buildKustomization({ files, path: '' })
}

test('values are put in as text, so that a number stays a number unless it is quoted', () => {
  const variables = new Map([
    ['count', '3'],
    ['host', 'a.example\n'],
  ])
  const { text, resources } = substitute(
    built('data:\n  n: ${count}\n  q: "x${count}"\n  h: ${host}\n'),
    variables,
    { isStrict: true },
  )
  assert.match(text, /data:\n {2}h: a\.example\n {2}"n": 3\n {2}q: x3\n/)
  assert.deepEqual(resources[0]?.object['data'], { n: 3, q: 'x3', h: 'a.example' })
})

test('strict: a variable without a value and default is a mistake with a place', () => {
  const variables = new Map([['a', '1']])
  const options = { isStrict: true }
  assert.throws(
    () => substitute(built('data: {x: "${b}"}\n'), variables, options),
    /a\.yaml:1: .*b/,
  )
  const { text } = substitute(built('data: {x: "a${b}"}\n'), variables, { isStrict: false })
  assert.match(text, /x: a\n/)
})

test('without variables nothing happens, unless asked for', () => {
  const data = 'data: {x: "${b:=c}"}\n'
  assert.match(substitute(built(data), new Map(), { isStrict: true }).text, /x: \$\{b:=c\}/)
  const options = { isStrict: true, isAlways: true }
  assert.match(substitute(built(data), new Map(), options).text, /x: c\n/)
})

test('a resource can be exempt', () => {
  const exemption = 'example.com/substitute'
  const files = filesOf({
    files: {
      'kustomization.yaml':
        'resources: [a.yaml]\ncommonAnnotations: {example.com/substitute: disabled}\n',
      'a.yaml': manifest('a', 'data: {x: "${a}"}\n'),
    },
  })
  const all = buildKustomization({ files, path: '' })
  const { text } = substitute(all, new Map([['a', '1']]), { isStrict: true, exemption })
  assert.match(text, /x: \$\{a\}/)
})
