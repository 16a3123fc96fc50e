/** Where the files of a snapshot lie on the host, and who judges what else is bound. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { loadOf, messages, renderText, type Files } from '../../../test/fake/stack-text.ts'
import { denyAll } from '#model/policy.ts'
import { serviceSpecOf, volumeSpecOf } from './spec-of.ts'
import type { StackInput, StackRendered } from './stack-input.ts'

const root = '/srv/shop/'

/** As a service would do it: by content what is tracked and only read, by name everything else. */
function fromGit(yaml: string, files: Files, policy = denyAll): StackRendered {
  const all = { 'compose.yaml': yaml, ...files }
  const place: StackInput['place'] = (path, { isWritable }) => {
    const below = Object.entries(all).filter(
      ([name]) => `${root}${name}` === path || `${root}${name}`.startsWith(`${path}/`),
    )
    const name = path.slice(root.length)
    if (isWritable || below.length === 0) return `/var/lib/x/stable/shop/${name}`
    const hash = createHash('sha256').update(JSON.stringify(below)).digest('hex').slice(0, 12)
    return `/var/lib/x/${hash}/${path.slice(path.lastIndexOf('/') + 1)}`
  }
  const load = { ...loadOf(all), confinedTo: '/srv/shop' }
  return renderText(yaml, { load, place, policy }, files)
}

function sources(rendered: StackRendered, service: string): readonly string[] {
  const found = rendered.resources.find(({ ref }) => ref === `container/${service}-1`)!
  return serviceSpecOf(found.spec).mounts.flatMap(({ from }) =>
    from.kind === 'bind' ? from.path : [],
  )
}

const yaml = `
services:
  web:
    image: x
    volumes:
      - ./web.conf:/etc/web.conf:ro
      - ./site:/site:ro
      - ./data:/data
      - ./cache:/cache:ro
`
const files = { 'web.conf': 'a', 'site/index.html': 'b', 'data/seed': 'c', other: 'd' }

test('what is tracked and only read has its content in its path; the rest has a place that stays', () => {
  const before = fromGit(yaml, files)
  assert.deepEqual(messages(before), [])
  const [conf, site, ...stable] = sources(before, 'web')
  assert.match(conf!, /^\/var\/lib\/x\/[0-9a-f]{12}\/web\.conf$/)
  assert.match(site!, /^\/var\/lib\/x\/[0-9a-f]{12}\/site$/)
  assert.deepEqual(stable, ['/var/lib/x/stable/shop/data', '/var/lib/x/stable/shop/cache'])
  const [data, cache] = stable
  const at = (line: number) => ({ file: '/srv/shop/compose.yaml', line, column: 9 })
  assert.deepEqual(before.placed, [
    { hostPath: conf, path: '/srv/shop/web.conf', isWritable: false, at: at(6) },
    { hostPath: site, path: '/srv/shop/site', isWritable: false, at: at(7) },
    { hostPath: data, path: '/srv/shop/data', isWritable: true, at: at(8) },
    { hostPath: cache, path: '/srv/shop/cache', isWritable: false, at: at(9) },
  ])
  const untouched = fromGit(yaml, { ...files, other: 'D', 'data/seed': 'C' })
  assert.deepEqual(untouched.resources, before.resources)
  const changed = fromGit(yaml, { ...files, 'site/index.html': 'B' })
  const [sameConf, newSite] = sources(changed, 'web')
  assert.equal(sameConf, conf)
  assert.notEqual(newSite, site)
})

const both = `
services:
  app: { image: x, volumes: ["./data:/data"] }
  backup: { image: x, volumes: ["./data:/data:ro", "./data/conf:/conf:ro", ".:/all:ro"] }
  other: { image: x, volumes: ["./data-not:/data:ro"] }
`
const bothFiles = { 'data/conf': '1', 'data-not/x': '2' }

test('whoever reads what another one writes is given the same place; what lies in it and is only read is a copy', () => {
  const rendered = fromGit(both, bothFiles)
  assert.deepEqual(sources(rendered, 'app'), ['/var/lib/x/stable/shop/data'])
  const [data, conf, all] = sources(rendered, 'backup')
  assert.deepEqual([data, all], ['/var/lib/x/stable/shop/data', '/var/lib/x/stable/shop/'])
  assert.match(conf!, /^\/var\/lib\/x\/[0-9a-f]{12}\/conf$/)
  assert.deepEqual(messages(rendered), [])
  // who may bind anything keeps what it had
  for (const outsideBinds of ['allow', 'warn'] as const) {
    const open = fromGit(both, bothFiles, { ...denyAll, outsideBinds })
    assert.equal(sources(open, 'backup')[1], '/var/lib/x/stable/shop/data/conf')
    assert.equal(open.warnings.length, outsideBinds === 'warn' ? 1 : 0)
  }
  assert.match(sources(rendered, 'other')[0]!, /^\/var\/lib\/x\/[0-9a-f]{12}\/data-not$/)
})

const nested = `
services:
  a: { image: x, volumes: ["./data:/data"] }
  b:
    image: x
    volumes: ["./data/sub:/x"]
  c: { image: x, volumes: ["./data/made-later:/y:ro"] }
`

test('nothing is bound from inside a folder that a container may write', () => {
  const inside = { 'data/sub/ok': '' }
  assert.deepEqual(messages(fromGit(nested, inside)), [
    '6: b: data/sub lies in data, which a may write (/srv/shop/compose.yaml:3); its mount is denied by the policy',
    '7: c: data/made-later lies in data, which a may write (/srv/shop/compose.yaml:3); its mount is denied by the policy',
  ])
  assert.match(fromGit(nested, inside).problems[0]?.suggestion ?? '', /named volume.*outsideBinds/)
  assert.deepEqual(messages(fromGit(nested, inside, { ...denyAll, outsideBinds: 'allow' })), [])
  const warned = fromGit(nested, inside, { ...denyAll, outsideBinds: 'warn' })
  assert.match(warned.warnings.join(), /data\/sub lies in data/)
})

test('the same in disguise: volumes that are binds, allowed folders, parts of volumes', () => {
  const disguised = `
services:
  a: { image: x, volumes: ["outer:/data", "/srv/media:/media", "whole:/w"] }
  b:
    image: x
    volumes:
      - inner:/x
      - /srv/media/films:/films:ro
      - { type: volume, source: whole, target: /p, volume: { subpath: part } }
volumes:
  outer: { driver: local, driver_opts: { type: none, o: bind, device: ./data } }
  inner: { driver: local, driver_opts: { type: none, o: bind, device: ./data/sub } }
  whole: {}
`
  const told = messages(fromGit(disguised, {}, { ...denyAll, allowedRoots: ['/srv/media'] }))
  assert.deepEqual(
    told.map((text) => text.replace(/, which.*/, '')),
    [
      '7: b: data/sub lies in data',
      '8: b: /srv/media/films lies in /srv/media',
      '9: b: part of volume whole lies in volume whole',
    ],
  )
})

test('files of read-only services, volumes that are binds and contexts of builds are placed too', () => {
  const rendered = fromGit(
    `
services:
  web: { image: x, read_only: true, configs: [conf] }
  app: { build: { context: ./app, dockerfile: ../Dockerfile }, volumes: ["files:/files"] }
configs: { conf: { file: ./web.conf } }
volumes: { files: { driver: local, driver_opts: { type: none, o: bind, device: ./files } } }
`,
    { 'web.conf': 'a', 'app/main': 'b', Dockerfile: 'FROM x' },
  )
  assert.deepEqual(messages(rendered), [])
  const paths = rendered.placed.map(({ path, isWritable }) => `${path} ${isWritable}`)
  assert.deepEqual(paths.toSorted(), [
    '/srv/shop/Dockerfile false',
    '/srv/shop/app false',
    '/srv/shop/files true',
    '/srv/shop/web.conf false',
  ])
  const spec = (ref: string) => rendered.resources.find((one) => one.ref === ref)!.spec
  assert.match(serviceSpecOf(spec('container/web-1')).files[0]?.path ?? '', /x\/.*\/web\.conf$/)
  assert.match(serviceSpecOf(spec('container/app-1')).build?.context ?? '', /x\/.*\/app$/)
  const { options } = volumeSpecOf(spec('volume/files'))
  assert.equal(options?.['device'], '/var/lib/x/stable/shop/files')
})

test('what is bound from elsewhere is for the policy to judge, however its path is spelt', () => {
  const outside = `
services:
  web:
    image: x
    volumes: [/srv/shared/media:/media, /srv/shared/../../etc:/x, ../../root:/y, ./a/../b:/z]
`
  assert.deepEqual(messages(fromGit(outside, {}, { ...denyAll, allowedRoots: ['/srv/shared'] })), [
    '5: web: a mount of /srv/shared/../../etc is denied by the policy',
    '5: web: a mount of /root is denied by the policy',
  ])
  const allowed = fromGit(outside, {}, { ...denyAll, outsideBinds: 'allow' })
  assert.deepEqual(messages(allowed), [])
  assert.deepEqual(sources(allowed, 'web'), [
    '/srv/shared/media',
    '/srv/shared/../../etc',
    '/root',
    '/var/lib/x/stable/shop/b',
  ])
})

test('by hand everything is bound from where it is', () => {
  const rendered = renderText(yaml, {}, files)
  assert.deepEqual(rendered.placed, [])
  assert.deepEqual(sources(rendered, 'web').slice(0, 2), ['/srv/shop/web.conf', '/srv/shop/site'])
})
