/** A container beside a stack that does one thing and ends, as `docker compose run` makes it: of a service's words, but none of its replicas. */
import { putFiles } from '#clients/docker/archive.ts'
import type { Docker } from '#clients/docker/client.ts'
import { createContainer } from '#clients/docker/containers.ts'
import { connectContainer } from '#clients/docker/networks.ts'
import { factsOf } from '#clients/docker/system.ts'
import { tarBytes } from '#clients/docker/tar.ts'
import { openedTexts } from '#domains/containers/sealed-text.ts'
import { Problem } from '#model/problem.ts'
import type { Sealed, Value } from '#model/value.ts'
import { fieldsOf } from '../expand/operation.ts'
import { label, serviceLabels } from '../labels.ts'
import type { ServiceSpec } from '../spec.ts'
import { serviceSpecOf } from '../spec-of.ts'
import { bodyOf } from './body.ts'
import { endpointOf } from './endpoint.ts'

type OneOff = {
  readonly name: string
  readonly command: readonly string[]
  readonly entrypoint: string | undefined
  readonly user: string | undefined
  readonly folder: string | undefined
  /** `NAME=value` */
  readonly environment: readonly string[]
  /** With the ports of the service; otherwise it publishes none. */
  readonly hasPorts: boolean
  readonly isTerminal: boolean
  readonly hasInput: boolean
}

/** Gives the id of the one-off container. It has no label of ours, so that no run compares or removes it. */
export async function createOneOff(
  docker: Docker,
  spec: Value,
  wish: OneOff,
  open: (secret: Sealed) => Uint8Array,
  signal: AbortSignal,
): Promise<string> {
  const own = asOneOff(serviceSpecOf(openedTexts(spec, { open })), wish)
  const { joinsSeveralNetworks, apiVersion } = await factsOf(docker, signal)
  const [first, ...others] = own.networks
  const body = bodyOf(own, {
    labels: {
      ...textLabels(own),
      ...serviceLabels(own.about),
      [label.oneOff]: 'True',
    },
    inherits: [],
    networks: joinsSeveralNetworks ? own.networks : first === undefined ? [] : [first],
    apiVersion,
    open: (secret) => new TextDecoder().decode(open(secret)),
  })
  const input = {
    AttachStdin: wish.hasInput,
    AttachStdout: true,
    AttachStderr: true,
    OpenStdin: wish.hasInput,
    StdinOnce: wish.hasInput,
    Tty: wish.isTerminal,
  }
  const made = { name: wish.name, body: { ...body, ...input } }
  const { id } = await createContainer(docker, made, signal)
  for (const attachment of joinsSeveralNetworks ? [] : others) {
    await connectContainer(docker, attachment.network, id, endpointOf(attachment), signal)
  }
  const files = own.files.filter(({ path }) => path === undefined)
  if (files.length > 0) {
    const entries = files.map(({ target, content, mode, uid, gid }) => {
      const path = target.replace(/^\/+/, '')
      return { type: 'file', path, content: open(content), mode, uid, gid } as const
    })
    await putFiles(docker, id, '/', tarBytes(entries), signal)
  }
  return id
}

function textLabels({ service }: ServiceSpec): Readonly<Record<string, string>> {
  const all = Object.entries(fieldsOf(service.labels))
  return Object.fromEntries(
    all.flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  )
}

/** Without its names on networks, its addresses and its ports: those are the service's. */
function asOneOff(spec: ServiceSpec, wish: OneOff): ServiceSpec {
  const [joined] = Object.keys(spec.joins)
  if (joined !== undefined || spec.volumesFrom.length > 0) {
    throw new Problem({
      type: 'runtime',
      code: 'unsupported',
      message: `${spec.about.service} shares ${joined ?? 'volumes'} with another container, so it can't be run by itself`,
      suggestion: `run the command in one that is there: tend compose exec ${spec.about.service} …`,
    })
  }
  const { command, entrypoint, user, folder, environment, hasPorts } = wish
  const { restart: _, ports, healthcheck: __, ...service } = spec.service
  const variables = Object.fromEntries(
    environment.map((line) => {
      const [name = ''] = line.split('=', 1)
      return [name, line.slice(name.length + 1)]
    }),
  )
  return {
    ...spec,
    object: wish.name,
    service: {
      ...service,
      ...(hasPorts && ports !== undefined ? { ports } : {}),
      ...(command.length === 0 ? {} : { command: [...command] }),
      ...(entrypoint === undefined ? {} : { entrypoint: entrypoint.split(/\s+/) }),
      ...(user === undefined ? {} : { user }),
      ...(folder === undefined ? {} : { working_dir: folder }),
      environment: { ...service.environment, ...variables },
    },
    networks: spec.networks.map(({ network }) => ({ network, aliases: [] })),
  }
}
