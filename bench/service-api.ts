/** The API's rate: all stacks of a service, against a bare node:http server that sends the same bytes. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { Worker } from 'node:worker_threads'
import { serveHttp } from '#server/serve.ts'
import { memoryAudit, memoryNotes } from '#store/memory.ts'
import { memoryTimeline } from '#store/timeline.ts'
import { fakeService } from '../test/fake/service.ts'
import { contest, type Row } from './row.ts'

const stacks = 200
const requests = 1600
const token = 'a-token-that-only-this-benchmark-knows'

export async function* rows(): AsyncIterable<Row> {
  const names = Array.from({ length: stacks }, (_, index) => `stack-${index}`)
  const ours = await serveHttp({
    service: fakeService(names),
    notes: memoryNotes(),
    audit: memoryAudit(),
    timeline: memoryTimeline(),
    declarations: () => ({
      listen: { host: '127.0.0.1', port: 0 },
      hooks: [],
      projectName: 'bench',
      isOrigin: false,
      discoveries: [],
    }),
    readSecret: () => Promise.resolve(''),
    clock: { now: Date.now, sleep: () => Promise.resolve(), random: Math.random },
    log: () => undefined,
    fileToken: token,
  })
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${ours.address.url}/api/stacks`, { headers })
  const body = Buffer.from(await answer.arrayBuffer())
  const bare = await bareServer(body)
  const client = new Worker(new URL('./service-api-client.ts', import.meta.url))
  async function load(port: number): Promise<void> {
    client.postMessage({ port, requests, token })
    await once(client, 'message')
  }
  try {
    await load(ours.address.port)
    await load(bare.port)
    const times = await contest(
      { ours: { run: () => load(ours.address.port) }, bare: { run: () => load(bare.port) } },
      31,
    )
    yield {
      name: `GET /api/stacks of ${stacks} stacks, our rate to a bare server's`,
      measured: times.bare / times.ours,
      goal: { is: 'at least', than: 0.5 },
      behind: `${rate(times.ours)} against ${rate(times.bare)} requests/s, ${Math.round(body.length / 1024)} KiB each`,
    }
  } finally {
    await client.terminate()
    await ours.close()
    bare.server.close()
    bare.server.closeAllConnections()
  }
}

async function bareServer(body: Buffer): Promise<{ server: Server; port: number }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length })
    response.end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new TypeError('it does not listen')
  return { server, port: address.port }
}

function rate(milliseconds: number): string {
  return Math.round(requests / (milliseconds / 1000)).toLocaleString('en')
}
