/** What is allowed before and after an upgrade is rendered to the same bytes: no container is made anew, no written data moves. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bindFilesIn } from '#sources/bind-files.ts'
import { stackHash } from '#domains/stacks/marker.ts'
import { serviceSpecOf } from '#domains/stacks/spec-of.ts'
import { denyAll } from '#model/policy.ts'
import { treeOf } from './fake/repository.ts'
import { loadOf, renderText } from './fake/stack-text.ts'

const yaml = `
services:
  web:
    image: x
    read_only: true
    configs: [conf]
    volumes: ["./data:/data", "./conf:/conf:ro", ".:/all:ro", "vol:/v", "files:/f", "./one.txt:/s", "./new:/n"]
  db: { image: y, volumes: ["./data:/data:ro"], logging: { driver: json-file, options: { max-size: 10m } } }
configs: { conf: { file: ./web.conf } }
volumes: { vol: {}, files: { driver: local, driver_opts: { type: none, o: bind, device: ./files } } }
`
const files = { 'web.conf': 'a', 'conf/x': '1', 'data/seed': 's', 'one.txt': 'z' }

function rendered(isInPlace: boolean) {
  const all = { 'compose.yaml': yaml, ...files }
  const bindFiles = bindFilesIn('/var/lib/tend/files')
  const tree = treeOf(all)
  const root = '/srv/shop'
  return renderText(
    yaml,
    {
      load: { ...loadOf(all), confinedTo: root },
      policy: denyAll,
      place: (path, { isWritable }) =>
        isInPlace
          ? path
          : bindFiles.pathOf(
              { key: 'stack:shop', path: path.slice(root.length + 1), isWritable },
              tree,
            ),
    },
    files,
  )
}

test('the hashes of allowed stacks are those of the version before the checks on disk', () => {
  assert.deepEqual(rendered(false).problems, [])
  assert.equal(stackHash(rendered(false)).slice(0, 16), '5e99e05033d21ecc')
  assert.equal(stackHash(rendered(true)).slice(0, 16), 'ae0bd00a9de390c6')
})

test('what containers write lies where it lay', () => {
  const web = rendered(false).resources.find(({ ref }) => ref === 'container/web-1')!
  const paths = serviceSpecOf(web.spec).mounts.flatMap(({ from }) =>
    from.kind === 'bind' ? from.path : [],
  )
  assert.deepEqual(
    paths.filter((path) => path.includes('/app-')),
    ['data', '', 'one.txt', 'new'].map((name) =>
      `/var/lib/tend/files/app-stack-shop/${name}`.replace(/\/$/, ''),
    ),
  )
})
