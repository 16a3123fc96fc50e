/** Agreeing on a version, with engines that a machine does not have. */
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { test } from 'node:test'
import { Problem } from '#model/problem.ts'
import { dockerAt, type Docker } from './client.ts'
import { listVolumes } from './volumes.ts'

const { signal } = new AbortController()

type Fake = { highest: string; lowest: string; hasHeader: boolean }

/** Serves the versions that it is told to, and refuses others as Docker does. */
async function withEngine(
  fake: Fake,
  work: (docker: Docker, calls: readonly string[]) => Promise<void>,
): Promise<void> {
  const calls: string[] = []
  const server = createServer((request, response) => {
    calls.push(request.url ?? '')
    answer(fake, request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const docker = dockerAt({ address: `tcp://127.0.0.1:${address.port}` })
  try {
    await work(docker, calls)
  } finally {
    docker.close()
    server.close()
  }
}

function answer(fake: Fake, request: IncomingMessage, response: ServerResponse): void {
  const url = request.url ?? ''
  if (url === '/_ping') {
    response.writeHead(200, fake.hasHeader ? { 'Api-Version': fake.highest } : {}).end('OK')
    return
  }
  if (url === '/version') {
    response.end(JSON.stringify({ ApiVersion: fake.highest, MinAPIVersion: fake.lowest }))
    return
  }
  const asked = Number(/^\/v1\.(\d+)\//.exec(url)?.[1])
  const [highest, lowest] = [fake.highest, fake.lowest].map((text) => Number(text.split('.')[1]))
  if (asked >= lowest! && asked <= highest!) {
    response.end('{"Volumes":[]}')
    return
  }
  const word = asked > highest! ? 'new' : 'old'
  const message = `client version 1.${asked} is too ${word}. Supported API versions are ${fake.lowest} to ${fake.highest}`
  response.writeHead(400).end(JSON.stringify({ message }))
}

for (const [about, fake, version] of [
  ['an old engine', { highest: '1.41', lowest: '1.12', hasHeader: true }, '1.41'],
  ['a newer one', { highest: '1.47', lowest: '1.24', hasHeader: true }, '1.47'],
  [
    'one beyond ours that still serves ours',
    { highest: '1.99', lowest: '1.44', hasHeader: true },
    '1.54',
  ],
  [
    'one that tells nothing in its ping',
    { highest: '1.43', lowest: '1.24', hasHeader: false },
    '1.43',
  ],
] as const) {
  test(`${about} is spoken to in ${version}`, async () => {
    await withEngine({ ...fake }, async (docker, calls) => {
      assert.deepEqual(await listVolumes(docker, [], signal), [])
      assert.equal(await docker.apiVersion(signal), version)
      assert.equal(calls.at(-1), `/v${version}/volumes`)
    })
  })
}

for (const [about, fake, words] of [
  [
    'too old',
    { highest: '1.40', lowest: '1.12', hasHeader: true },
    /speaks API 1\.40.*at least 1\.41/,
  ],
  [
    'too new',
    { highest: '1.99', lowest: '1.60', hasHeader: true },
    /at least API 1\.60.*up to 1\.54/,
  ],
] as const) {
  test(`an engine that is ${about} is refused before any call`, async () => {
    await withEngine({ ...fake }, async (docker, calls) => {
      await assert.rejects(listVolumes(docker, [], signal), (error: unknown) => {
        assert.ok(error instanceof Problem)
        assert.equal(error.code, 'not_possible_here')
        assert.match(error.message, words)
        return true
      })
      assert.ok(calls.every((path) => !path.startsWith('/v1')))
    })
  })
}

test('an engine that was exchanged under us is asked again, once', async () => {
  const fake = { highest: '1.50', lowest: '1.24', hasHeader: true }
  await withEngine(fake, async (docker, calls) => {
    await listVolumes(docker, [], signal)
    fake.highest = '1.43'
    await listVolumes(docker, [], signal)
    assert.deepEqual(calls, [
      '/_ping',
      '/v1.50/volumes',
      '/v1.50/volumes',
      '/_ping',
      '/v1.43/volumes',
    ])
  })
})

test('many who ask at once agree once; one who gives up spoils it for nobody', async () => {
  await withEngine({ highest: '1.41', lowest: '1.12', hasHeader: true }, async (docker) => {
    const hasty = new AbortController()
    const given = docker.apiVersion(hasty.signal).catch(() => 'given up')
    const others = Array.from({ length: 10 }, () => docker.apiVersion(signal))
    hasty.abort()
    assert.deepEqual(new Set(await Promise.all(others)), new Set(['1.41']))
    assert.equal(await given, 'given up')
  })
  await withEngine({ highest: '1.41', lowest: '1.12', hasHeader: true }, async (docker, calls) => {
    await Promise.all(Array.from({ length: 10 }, () => listVolumes(docker, [], signal)))
    assert.equal(calls.filter((url) => url === '/_ping').length, 1)
  })
})
