import assert from 'node:assert/strict'
import { test } from 'node:test'
import { k3dClusterIn, k3dImagesIn } from './k3d-nodes.ts'

test('the image of a k3d cluster is what its engine says of the server, and unknown where only an id is told', () => {
  const id = 'a'.repeat(64)
  const images = k3dImagesIn(
    `k3d-dev-server-0 rancher/k3s:v1.31.5-k3s1\nk3d-old-server-0 sha256:${id}\nk3d-lost-server-0 ${id.slice(0, 12)}\n`,
  )
  assert.deepEqual([...images], [['k3d-dev-server-0', 'rancher/k3s:v1.31.5-k3s1']])
  const of = (name: string) => {
    const server = { name: `k3d-${name}-server-0`, role: 'server', image: `sha256:${id}` }
    return k3dClusterIn({ name, nodes: [server] }, images).facts
  }
  assert.equal(of('dev')?.image, 'rancher/k3s:v1.31.5-k3s1')
  assert.equal(of('old')?.image, undefined)
})
