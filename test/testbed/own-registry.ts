/** A registry in this process that answers as a test wants it: differently each time, or for each machine. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { TestContext } from 'node:test'
import { busyboxTar } from './image.ts'

type Answer = { readonly type: string; readonly body: Buffer }

export type OwnRegistry = {
  /** `127.0.0.1:PORT` */
  readonly host: string
  /** What was asked that is nothing of a registry: pages of the loopback that only the host can see. */
  readonly asked: readonly string[]
  /** Puts an image there by name: one for each machine, each with these settings. Those of annotations are in OCI's form. */
  put(
    name: string,
    machines: Readonly<Record<string, object>>,
    annotations?: Readonly<Record<string, string>>,
  ): void
  /** The next so many questions for a name find nothing. */
  hide(name: string, times: number): void
}

const docker = {
  image: 'application/vnd.docker.distribution.manifest.v2+json',
  list: 'application/vnd.docker.distribution.manifest.list.v2+json',
  settings: 'application/vnd.docker.container.image.v1+json',
  layer: 'application/vnd.docker.image.rootfs.diff.tar',
} as const

const oci = {
  image: 'application/vnd.oci.image.manifest.v1+json',
  list: 'application/vnd.oci.image.index.v1+json',
  settings: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar',
} as const

function digestOf(body: Buffer): string {
  return `sha256:${createHash('sha256').update(body).digest('hex')}`
}

export async function ownRegistry(t: TestContext): Promise<OwnRegistry> {
  const asked: string[] = []
  const known = new Map<string, Answer>()
  const hidden = new Map<string, number>()
  const layer = readFileSync(busyboxTar(''))
  const server = createServer(({ url = '', method }, response) => {
    const [, name, reference = ''] = /^\/v2\/(.+)\/(?:manifests|blobs)\/(.+)$/.exec(url) ?? []
    if (!url.startsWith('/v2')) asked.push(url)
    if (name === undefined) return void response.end('{}')
    const times = hidden.get(`${name}:${reference}`) ?? 0
    hidden.set(`${name}:${reference}`, times - 1)
    const found = known.get(`${name}:${reference}`) ?? known.get(reference)
    if (found === undefined || times > 0) {
      response.statusCode = 404
      return void response.end('{"errors":[{"code":"MANIFEST_UNKNOWN"}]}')
    }
    response.setHeader('content-type', found.type)
    response.setHeader('docker-content-digest', digestOf(found.body))
    response.setHeader('content-length', found.body.length)
    response.end(method === 'HEAD' ? undefined : found.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()

  function kept(type: string, content: Buffer | object) {
    const body = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content))
    const digest = digestOf(body)
    known.set(digest, { type, body })
    return { mediaType: type, size: body.length, digest }
  }

  function imageFor(
    architecture: string,
    settings: object,
    annotations: Readonly<Record<string, string>> | undefined,
  ) {
    const types = annotations === undefined ? docker : oci
    const config = kept(types.settings, {
      architecture,
      os: 'linux',
      config: { Cmd: ['sh'], Env: ['PATH=/bin'], ...settings },
      rootfs: { type: 'layers', diff_ids: [digestOf(layer)] },
      history: [{ created_by: 'a test' }],
    })
    const layers = [kept(types.layer, layer)]
    const about = annotations === undefined ? {} : { annotations }
    const manifest = { schemaVersion: 2, mediaType: types.image, config, layers, ...about }
    return { ...kept(types.image, manifest), platform: { architecture, os: 'linux' } }
  }

  return {
    host: `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    asked,
    put(name, machines, annotations) {
      const manifests = Object.entries(machines).map(([one, settings]) =>
        imageFor(one, settings, annotations),
      )
      const { list: mediaType } = annotations === undefined ? docker : oci
      const list = kept(mediaType, { schemaVersion: 2, mediaType, manifests })
      const answer = known.get(list.digest)
      if (answer !== undefined) known.set(name, answer)
    },
    hide: (name, times) => void hidden.set(name, times),
  }
}
