/** What images bring along is read from exports with layers of any size. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Docker } from './client.ts'
import { readOnBuild } from './image-export.ts'

/** An entry of an archive, as Go writes it: from 8 GB on the size stands in an entry before it, and here is 0. */
function entry(name: string, content: string, { size = content.length, type = '0' } = {}): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0)
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write(type, 156)
  const padding = Buffer.alloc((512 - (content.length % 512)) % 512)
  return Buffer.concat([header, Buffer.from(content, 'latin1'), padding])
}

function readIn(archive: Buffer): Promise<readonly string[]> {
  async function* parts(): AsyncIterable<Uint8Array> {
    for (let at = 0; at < archive.length; at += 700) yield archive.subarray(at, at + 700)
  }
  const docker = { stream: async () => ({ body: parts() }) } as unknown as Docker
  return readOnBuild(docker, 'sha256:00', new AbortController().signal)
}

const configuration = entry('00ff.json', '{"config":{"OnBuild":["ADD http://127.0.0.1/ /x"]}}')

test('the content of a layer is not taken for the archive', async () => {
  // what the author of the layer wrote: a configuration of nothing, and an entry that would cover the true one
  const content = Buffer.concat([
    entry('fake.json', '{"config":{}}'),
    entry('cover', '', { size: 1_048_576 }),
  ]).toString('latin1')
  const told = `${`00 size=${content.length}\n`.length} size=${content.length}\n`
  const archive = [
    entry('PaxHeaders.0/layer.tar', told, { type: 'x' }),
    entry('layer.tar', content, { size: 0 }),
    configuration,
  ]
  assert.deepEqual(await readIn(Buffer.concat(archive)), ['ADD http://127.0.0.1/ /x'])
})

test('a size that is written in another way is refused', async () => {
  const layer = entry('layer.tar', '')
  layer.set([0x80, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0], 124)
  const archive = Buffer.concat([layer, configuration])
  await assert.rejects(readIn(archive), /size is written in an unknown way/)
})
