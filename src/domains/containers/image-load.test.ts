import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspectImage, type Speaker } from '#clients/containers/calls.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Resource } from '#model/resource.ts'
import { assertNotKnownHeavy, assertNotTooHeavy, noteCounts } from './image-load.ts'
import { emptyEngineMemory, type EngineMemory } from './memory.ts'

const { signal } = new AbortController()

/** An engine whose images have these configurations. */
function engineWith(images: Readonly<Record<string, JsonRecord>>): Speaker {
  return {
    async ask(_method, path) {
      const name = decodeURIComponent(path.split('/')[2] ?? '')
      return { status: 200, body: { Id: name, Config: images[name] ?? {} } }
    },
  }
}

type Application = Readonly<Record<string, number>>

/** Why the first image of an application is refused; '' when it is not. */
async function refusal(
  images: Readonly<Record<string, JsonRecord>>,
  application: Application,
  memory: EngineMemory = emptyEngineMemory(),
): Promise<string> {
  const speaker = engineWith(images)
  const owner = 'here:stack:web'
  const job = {
    engine: { inspectImage: (name: string) => inspectImage(speaker, name, signal) },
    memory,
    payload: {},
    context: { signal },
    confinement: { owner },
  }
  noteCounts(memory, owner, wantedOf(application))
  const [first = ''] = Object.keys(application)
  try {
    await assertNotTooHeavy(job as never, first)
    return ''
  } catch (error) {
    assert.throws(() => assertNotKnownHeavy(job as never, first), error as Error)
    return String(error)
  }
}

function wantedOf(application: Application): readonly Resource[] {
  return Object.entries(application).flatMap(([image, count]) =>
    Array.from({ length: count }, (_, at) => ({
      ref: `container/${image}-${at}`,
      spec: { image },
    })),
  ) as never
}

const long = (letters: number): JsonRecord => ({ Labels: { a: 'x'.repeat(letters) } })

test('whatever an image has that lists and inspections repeat is counted', async () => {
  const names = (count: number, of: (at: number) => string): JsonRecord =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [of(at), {}]))
  const heavy: Readonly<Record<string, JsonRecord>> = {
    labels: long(256_000),
    variables: { Env: [`A=${'x'.repeat(256_000)}`] },
    command: { Cmd: ['x'.repeat(256_000)] },
    check: { Healthcheck: { Test: ['CMD', 'x'.repeat(256_000)] } },
    volumes: { Volumes: names(420, (at) => `/${at}`) },
  }
  for (const name of Object.keys(heavy)) {
    assert.match(await refusal(heavy, { [name]: 1 }), /is too heavy .* more than 256000/, name)
  }
  const fine = {
    usual: { Labels: { a: 'b' }, Env: ['PATH=/bin'], ExposedPorts: { '80/tcp': {} } },
    // a server for calls exposes 16,384 ports
    calls: { ExposedPorts: names(16_385, (at) => `${at}/udp`) },
  }
  assert.equal(await refusal(fine, { usual: 1000 }), '')
  assert.equal(await refusal(fine, { calls: 3 }), '')
  assert.match(await refusal(fine, { calls: 7 }), /of the 7 containers .* more than 4000000/)
})

test('all images of an application count together', async () => {
  const images = { a: long(200_000), b: long(200_000), light: long(3_000) }
  assert.equal(await refusal(images, { a: 10, b: 9, light: 900 }), '')
  assert.match(await refusal(images, { a: 10, b: 11 }), /4\d{6} letters, more than 4000000/)
  // a later look may want fewer
  const memory = emptyEngineMemory()
  assert.match(await refusal(images, { a: 21 }, memory), /of the 21 containers/)
  assert.equal(await refusal(images, { a: 2 }, memory), '')
  assert.equal(memory.tooHeavy.size, 0)
})
