/** What an image brings along for whoever builds on it, read from its export: Podman tells it in no other way. */
import { segment } from '#clients/containers/calls.ts'
import type { Json } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import { recordOf, textsOf } from '#model/read-json.ts'
import type { Docker } from './client.ts'

const blockSize = 512
/** The largest configuration that is kept in memory, bytes. The usual one has a few thousand. */
const mostOfConfiguration = 8 * 1024 * 1024

/** The instructions of its ONBUILD, in their order. The layers are not read. */
export async function readOnBuild(
  docker: Docker,
  image: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const doing = `could not read the configuration of image ${image}`
  const { body } = await docker.stream('GET', `/images/${segment(image)}/get`, { signal, doing })
  const found = await configurationsIn(body)
  if (found.length > 0) {
    return found.flatMap((one) => textsOf(recordOf(recordOf(one)['config'])['OnBuild']))
  }
  throw new Problem({
    type: 'runtime',
    code: 'api_error',
    message: `${doing}: its export has none`,
    suggestion: 'pull the image again, or build on another one',
  })
}

/** The documents of an archive as `docker save` writes it, but for the list of its images. */
async function configurationsIn(archive: AsyncIterable<Uint8Array>): Promise<readonly Json[]> {
  const found: Json[] = []
  let rest = Buffer.alloc(0)
  let passing = 0
  for await (const part of archive) {
    rest = Buffer.concat([rest, part])
    for (;;) {
      const passed = Math.min(passing, rest.length)
      rest = rest.subarray(passed)
      passing -= passed
      if (passing > 0 || rest.length < blockSize) break
      const name = textIn(rest, 0, 100)
      const size = Number.parseInt(textIn(rest, 124, 12).trim() || '0', 8)
      const padded = Math.ceil(size / blockSize) * blockSize
      const isDocument = name.endsWith('.json') && name !== 'manifest.json'
      if (!isDocument || size > mostOfConfiguration) passing = blockSize + padded
      else if (rest.length < blockSize + padded) break
      else {
        found.push(JSON.parse(rest.toString('utf8', blockSize, blockSize + size)))
        passing = blockSize + padded
      }
    }
  }
  return found
}

function textIn(block: Buffer, from: number, length: number): string {
  const field = block.subarray(from, from + length)
  const end = field.indexOf(0)
  return field.toString('latin1', 0, end < 0 ? length : end)
}
