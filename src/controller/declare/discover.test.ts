/** What is found in a tree, under which name, and what is refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyOf } from '#model/application.ts'
import type { Discovery } from '#model/declaration.ts'
import { placeText, Problem } from '#model/problem.ts'
import type { Tree } from '#model/tree.ts'
import { loadDeclarations } from '#kinds/all.ts'
import { declarationsFrom } from './declarations-from.ts'
import { discover as discoverKinds, type DiscoveryResult } from './discover.ts'
import { linkBefore } from './links.ts'

const kinds = await loadDeclarations()

function discover(one: Discovery, files: Tree): DiscoveryResult {
  return discoverKinds(one, files, kinds)
}

function tree(files: Readonly<Record<string, string>>): Tree {
  return {
    root: 'repository',
    list: (folder) =>
      Object.keys(files)
        .filter((file) => folder === '' || file.startsWith(`${folder}/`))
        .toSorted(),
    read: (path) => (files[path] === undefined ? undefined : new TextEncoder().encode(files[path])),
  }
}

function discovery(text = '{}', environment?: Readonly<Record<string, string>>): Discovery {
  const files =
    environment === undefined
      ? [{ path: '/tend.yaml', text: `sources: {s: {directory: /x}}\ndiscover: [${text}]` }]
      : []
  const { declarations, problems } = declarationsFrom({
    files,
    environment: environment ?? {},
    kinds,
  })
  assert.deepEqual(problems, [])
  return declarations!.discoveries[0]!
}

const origin = {
  GIT_REPO_URL: 'https://example.org/x',
  GIT_ACCESS_TOKEN: 't',
  GIT_REVISION: 'main',
}

function found(files: Readonly<Record<string, string>>, one = discovery()): readonly string[] {
  const { apps, refused, problems } = discover(one, tree(files))
  return [
    ...apps.map(({ application, path }) => `${keyOf(application)} ${path}`),
    ...refused.map(({ application, path }) => `refused ${keyOf(application)} ${path}`),
    ...problems.map(
      ({ message, at }) => `! ${at === undefined ? '' : `${placeText(at)} `}${message}`,
    ),
  ]
}

test('a link that leads nowhere or out: it can not be told what is gone', () => {
  const files = tree({ 'a/compose.yaml': '' })
  const links = (...paths: readonly string[]): Tree => ({ ...files, badLinks: () => paths })
  const unclear = discover(discovery(), links('web/compose.yaml', 'a/data', 'b/notes.txt'))
  assert.equal(unclear.isWhole, false)
  assert.deepEqual(
    unclear.problems.map(({ at }) => at?.file),
    ['web/compose.yaml'],
  )
  assert.equal(discover(discovery(), links('db')).isWhole, false)
  const excluded = discover(discovery('{exclude: [web]}'), links('web/compose.yaml'))
  assert.equal(excluded.isWhole, true)
  assert.equal(discover(discovery(), links('a/x/y', '.hidden/compose.yaml')).isWhole, true)
})

test('a link on the way to what is declared by its path', () => {
  const [one] = discover(discovery(), tree({ 'web/compose.yaml': '' })).apps
  const before = (links: readonly string[], files = {}): string | undefined =>
    linkBefore(one!, { ...tree(files), badLinks: () => links }, ['compose.yaml', 'compose.yml'])
  assert.equal(before(['web/compose.yaml']), 'web/compose.yaml')
  assert.equal(before(['web']), 'web')
  assert.equal(before(['web/data', 'other']), undefined)
  assert.equal(before(['web/compose.yml'], { 'web/compose.yaml': '' }), undefined)
})

test('folders one below the root, by the names docker compose knows, and charts', () => {
  const files = {
    'a/compose.yaml': '',
    'b/docker-compose.yml': '',
    'c/Chart.yaml': 'name: shop\n',
    'c/templates/web.yaml': '',
    'd/readme.md': '',
    'e/f/compose.yaml': '',
    'compose.yaml': '',
    '.devcontainer/docker-compose.yml': '',
  }
  assert.deepEqual(found(files), ['stack:a a', 'stack:b b', 'chart:shop c'])
  const [a] = discover(discovery(), tree(files)).apps
  assert.deepEqual(a?.files, [], 'the usual names, overrides with them')
})

test('deeper, by patterns, with a prefix; what lies below an application is a part of it', () => {
  const files = {
    'deploy/shop/web/compose.yaml': '',
    'deploy/shop/web/tests/compose.yaml': '',
    'deploy/shop/db/compose.yml': '',
    'deploy/blog/compose.yaml': '',
    'deploy/old/x/compose.yaml': '',
  }
  const one = discovery('{path: deploy, depth: 3, prefix: prod-, exclude: [old]}')
  assert.deepEqual(found(files, one), [
    'stack:prod-blog deploy/blog',
    'stack:prod-shop-db deploy/shop/db',
    'stack:prod-shop-web deploy/shop/web',
  ])
  assert.deepEqual(found(files, discovery('{path: deploy, depth: 3, include: [shop/w*]}')), [
    'stack:shop-web deploy/shop/web',
  ])
})

test('the origin: one file, docker-compose.yml before others, no charts, its names', () => {
  const one = discovery('', { ...origin, GIT_DEPLOY_DIR: 'deploy' })
  const files = {
    'deploy/Web.Shop/docker-compose.yml': '',
    'deploy/Web.Shop/compose.yaml': '',
    'deploy/c/Chart.yaml': 'name: c',
    'deploy/d/docker-compose.yaml': '',
  }
  assert.deepEqual(found(files, one), ['stack:webshop deploy/Web.Shop', 'stack:d deploy/d'])
  const [web, d] = discover(one, tree(files)).apps
  assert.deepEqual(web?.files, ['docker-compose.yml'])
  assert.deepEqual(d?.files, ['docker-compose.yaml'])
})

test('a repository of more applications than anybody has is refused, and nothing counts as gone', () => {
  const many = (count: number) => {
    const paths = Array.from({ length: count }, (_, i) => [`a${i}/compose.yaml`, 'services: {}\n'])
    return discover(discovery(), quickTree(Object.fromEntries(paths)))
  }
  assert.equal(many(5_000).apps.length, 5_000)
  const { apps, isWhole, problems } = many(5_001)
  assert.deepEqual([apps.length, isWhole], [0, false])
  assert.match(problems[0]?.message ?? '', /holds 5001 applications, more than 5000/)
  assert.equal(problems[0]?.at?.file, '/tend.yaml')
})

/** The same tree for many files: each folder is listed once. */
function quickTree(files: Readonly<Record<string, string>>): Tree {
  const whole = tree(files)
  const paths = Object.keys(files).toSorted()
  const below = Map.groupBy(paths, (path) => path.slice(0, path.indexOf('/')))
  return { ...whole, list: (folder) => (folder === '' ? paths : (below.get(folder) ?? [])) }
}

test('folders that give one name are refused all', () => {
  const files = { 'Web/compose.yaml': '', 'web/compose.yaml': '', 'db/compose.yaml': '' }
  assert.deepEqual(found(files), [
    'stack:db db',
    'refused stack:web Web',
    '! /tend.yaml:2:12 stack:web is the name of several folders: Web, web',
  ])
})

test('a repository may set values, profiles and files of its application', () => {
  const files = {
    'a/docker-stack.yml': '',
    'a/tend.yaml': 'files: [docker-stack.yml]\nprofiles: [x]\nvalues: {PORT: 0080, TAG: a}\n',
    'b/Chart.yaml': 'name: b',
    'b/tend.yaml': 'values: {image: {tag: 2}}\n',
  }
  const one = discovery('{values: {TAG: base, HOST: h, image: {name: n, tag: 1}}}')
  const { apps, problems } = discover(one, tree(files))
  assert.deepEqual(problems, [])
  const [a, b] = apps
  assert.deepEqual([a?.files, a?.profiles], [['docker-stack.yml'], ['x']])
  assert.deepEqual(a?.values, { TAG: 'a', HOST: 'h', PORT: '0080' })
  assert.deepEqual(b?.values, { TAG: 'base', HOST: 'h', image: { name: 'n', tag: 2 } })
})

for (const key of [
  'target',
  'credentials',
  'security',
  'prune',
  'owner',
  'interval',
  'windows',
  'drift',
  'dependsOn',
  'source',
  'apps',
  'token',
]) {
  test(`a repository never sets ${key}: its application is left alone, others go on`, () => {
    const files = {
      'a/compose.yaml': '',
      'a/tend.yaml': `values: {}\n${key}: x\n`,
      'b/compose.yaml': '',
    }
    assert.deepEqual(found(files), [
      'stack:b b',
      'refused stack:a a',
      `! a/tend.yaml:2:1 ${key}: unknown field`,
    ])
    const { refused, isWhole } = discover(discovery(), tree(files))
    assert.match(refused[0]?.problems[0]?.suggestion ?? '', /only the operator sets it/)
    assert.equal(isWhole, true)
  })
}

test('a file of a repository leads nowhere outside of it', () => {
  const files = { 'a/compose.yaml': '', 'a/tend.yaml': 'files: [../../etc/passwd]\n' }
  assert.match(
    found(files).join('\n'),
    /refused stack:a a\n! a\/tend.yaml:1:9 files\[0\]: .* leaves its place/,
  )
})

test('both kinds in one folder: the operator decides', () => {
  const files = { 'a/compose.yaml': '', 'a/Chart.yaml': 'name: a' }
  assert.deepEqual(found(files), [
    'refused stack:a a',
    '! a holds both compose.yaml and Chart.yaml',
  ])
})

test('where not everything can be seen, nothing counts as gone', () => {
  const missing = discover(discovery('{path: deploy}'), tree({ 'a/compose.yaml': '' }))
  assert.equal(missing.isWhole, false)
  assert.match(missing.problems[0]?.message ?? '', /no folder deploy/)
  assert.equal(discover(discovery(), tree({})).isWhole, false)
  assert.equal(discover(discovery(), tree({ 'a/Chart.yaml': 'nme: x' })).isWhole, false)
  assert.equal(discover(discovery(), tree({ '___/compose.yaml': '' })).isWhole, false)
  const whole = tree({ 'a/tend.yaml': '', 'a/compose.yaml': '' })
  const leaving: Tree = {
    root: 'x',
    list: (folder) => whole.list(folder),
    read() {
      throw new Problem({ type: 'configuration', code: 'chart_unreadable', message: 'leaves' })
    },
  }
  assert.deepEqual(discover(discovery(), leaving).problems[0]?.message, 'leaves')
  assert.equal(discover(discovery(), leaving).isWhole, false)
})

test('a file that is too large is not read, and hides nobody else', () => {
  const large = '#'.repeat(300 * 1024)
  const files: Readonly<Record<string, string>> = {
    'a/compose.yaml': 'services: {}',
    'a/tend.yaml': large,
    'b/Chart.yaml': large,
    'c/compose.yaml': 'services: {}',
  }
  const all = { ...tree(files), sizeOf: (path: string) => files[path]?.length ?? 0 }
  const came = discover(discovery(), all)
  assert.deepEqual(
    came.apps.map(({ path }) => path),
    ['c'],
  )
  assert.deepEqual(
    came.refused.map(({ path }) => path),
    ['a'],
  )
  assert.deepEqual(
    came.problems.map(({ message }) => message),
    ['b/Chart.yaml is larger than 256 KB', 'a/tend.yaml is larger than 256 KB'],
  )
  assert.equal(came.isWhole, false)
})
