/** Rows of a fleet over HTTP: shown, put and removed, each change in the audit log, and no secret anywhere. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fleetStatus } from '../fake/service.ts'
import { misfits } from './server-schema.ts'
import { startWorld, type Loose } from './server-world.ts'

const base = '/api/v1/fleets/lab'
const path = '/api/v1/fleets/{name}'

test('rows are shown, put and removed as the document says, and who did it is kept', async (t) => {
  const { ask, served, service, audit } = await startWorld()
  t.after(() => served.close())
  service.add(fleetStatus('lab'))
  const { json: document } = await ask('GET', '/api/openapi.json')
  function fits(answer: Loose, method: string, where: string): void {
    assert.equal(answer.status, 200, answer.text)
    const { schema } = document.paths[where][method].responses[200].content['application/json']
    assert.deepEqual(misfits(answer.json, schema, document), [])
  }
  const shown = await ask('GET', base)
  fits(shown, 'get', path)
  assert.equal(shown.json.key, 'fleet:lab')
  assert.equal(shown.json.clusters[0].name, 'dev')

  const body = JSON.stringify({
    http_port: 18_190,
    route: false,
    config: { registry: 'planted' },
    'config.token': 'planted',
  })
  const put = await ask('PUT', `${base}/clusters/dev`, { body })
  fits(put, 'put', `${path}/clusters/{row}`)
  const removed = await ask('DELETE', `${base}/clusters/dev`)
  fits(removed, 'delete', `${path}/clusters/{row}`)

  const [removal, change] = await audit.read({ limit: 2, app: 'fleet:lab' })
  assert.deepEqual([removal?.action, removal?.detail], ['removeCluster', 'dev'])
  assert.equal(change?.action, 'putCluster')
  assert.equal(change?.detail, 'dev: http_port=18190, route=false, config, config.token=******')
})

test('what is no fleet, no row or no map is refused in words', async (t) => {
  const { ask, served, service } = await startWorld()
  t.after(() => served.close())
  service.add(fleetStatus('lab'))
  assert.equal((await ask('GET', '/api/v1/fleets/none')).status, 404)
  assert.equal((await ask('GET', '/api/v1/stacks/web')).status, 404, 'a kind without rows')
  assert.equal((await ask('DELETE', `${base}/clusters/none`)).status, 404)
  const list = await ask('PUT', `${base}/clusters/dev`, { body: '[]' })
  assert.equal(list.status, 400)
  assert.match(list.json.detail, /the body: record is expected/)
  assert.equal((await ask('PUT', `${base}/clusters/dev`)).status, 400)
  const taken = await ask('PUT', `${base}/clusters/dev?new=true`, { body: '{}' })
  assert.deepEqual([taken.status, taken.json.code], [409, 'conflict'])
  assert.equal((await ask('PUT', `${base}/clusters/two?new=true`, { body: '{}' })).status, 200)
  const post = await ask('POST', `${base}/clusters/dev`)
  assert.deepEqual([post.status, post.headers.allow], [405, 'DELETE, OPTIONS, PUT'])
})
