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
  // of the entry that follows, which says 0 itself where it has 8 GB and more
  let told: number | undefined
  for await (const part of archive) {
    rest = Buffer.concat([rest, part])
    for (;;) {
      const passed = Math.min(passing, rest.length)
      rest = rest.subarray(passed)
      passing -= passed
      if (passing > 0 || rest.length < blockSize) break
      const name = textIn(rest, 0, 100)
      const size = told ?? sizeIn(rest)
      const padded = Math.ceil(size / blockSize) * blockSize
      const isAbout = textIn(rest, 156, 1) === 'x'
      const isDocument = name.endsWith('.json') && name !== 'manifest.json'
      const isRead = (isAbout || isDocument) && size <= mostOfConfiguration
      if (isRead && rest.length < blockSize + padded) break
      const text = isRead ? rest.toString('utf8', blockSize, blockSize + size) : ''
      told = isAbout ? sizeTold(text) : undefined
      if (isRead && !isAbout) found.push(JSON.parse(text))
      passing = blockSize + padded
    }
  }
  return found
}

/** Throws at what it can't read: whoever takes the content of a layer for entries reads what its author wrote there. */
function sizeIn(header: Buffer): number {
  const text = textIn(header, 124, 12).trim()
  if (/^[0-7]*$/.test(text)) return Number.parseInt(text || '0', 8)
  throw new Problem({
    type: 'runtime',
    code: 'api_error',
    message: 'the export of an image has an entry whose size is written in an unknown way',
    suggestion: 'build on another image',
  })
}

/** In the lines `LENGTH KEY=VALUE` about the entry that follows. */
function sizeTold(lines: string): number | undefined {
  const [, size] = /^\d+ size=(\d+)$/m.exec(lines) ?? []
  return size === undefined ? undefined : Number(size)
}

function textIn(block: Buffer, from: number, length: number): string {
  const field = block.subarray(from, from + length)
  const end = field.indexOf(0)
  return field.toString('latin1', 0, end < 0 ? length : end)
}
