/** A Docker that only tells: lists of many stacks that run as declared, and a stream of events in which nothing happens. */
import { createHash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { label, identityLabels } from '#domains/stacks/labels.ts'
import { markerLabel } from '#domains/stacks/marker.ts'
import { settledRecord } from '#domains/stacks/record.ts'
import { networkSpecOf, serviceSpecOf } from '#domains/stacks/spec-of.ts'
import { recordLabels, type Labels } from '#domains/containers/record.ts'
import { ownerOf, type Application } from '#model/application.ts'
import type { Rendered } from '#model/domain.ts'
import type { Json } from '#model/json.ts'
import { kindOf } from '#model/ref.ts'

export type Running = {
  readonly application: Application
  readonly rendered: Rendered
  readonly hash: string
  readonly since: number
}

export type TellingDocker = {
  readonly socket: string
  readonly calls: string[]
  /** Takes requests and answers none, as an engine that hangs. */
  hangs: boolean
  /** How long each list takes, ms. */
  slowness: number
  stop(): Promise<void>
  /** After a stop: listens again at the same place. */
  start(): Promise<void>
}

export async function tellingDocker(
  socket: string,
  instance: string,
  running: readonly Running[],
): Promise<TellingDocker> {
  const containers: Json[] = []
  const networks: Json[] = []
  const volumes: Json[] = []
  for (const one of running) {
    const owner = ownerOf(instance, one.application)
    const { rendered, application, since, hash } = one
    const identity = { owner, application, version: '', revision: 'r', since }
    for (const { ref, spec, needs } of rendered.resources) {
      const Id = createHash('sha256').update(`${owner} ${ref}`).digest('hex')
      const Labels: Labels = {
        ...identityLabels(identity, ref, needs),
        ...recordLabels(settledRecord(spec, rendered.vault, new Map())),
      }
      if (kindOf(ref) === 'network')
        networks.push({ Id, Name: networkSpecOf(spec).object, Driver: 'bridge', Labels })
      if (kindOf(ref) === 'container') containers.push(container(Id, serviceSpecOf(spec), Labels))
    }
    const labels = {
      [markerLabel.is]: 'true',
      [label.owner]: owner,
      [label.revision]: 'r',
      [label.hash]: hash,
    }
    const Labels = {
      ...labels,
      [markerLabel.at]: '1000',
      [markerLabel.outcome]: 'succeeded',
      [markerLabel.adopted]: '',
    }
    volumes.push({ Name: `tend-${application.name}`, Driver: 'local', Labels })
  }
  const answers: Readonly<Record<string, string>> = {
    '/containers/json': JSON.stringify(containers),
    '/networks': JSON.stringify(networks),
    '/volumes': JSON.stringify({ Volumes: volumes }),
    '/images/json': '[]',
    '/info': '{}',
    '/version': '{"ApiVersion":"1.41"}',
  }
  const calls: string[] = []
  const streams = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/^\/v[\d.]+/, '').replace(/\?.*/, '')
    calls.push(`${request.method} ${path}`)
    if (docker.hangs) return
    if (path === '/events') {
      streams.add(response)
      response.writeHead(200, { 'Api-Version': '1.41' }).flushHeaders()
      return
    }
    response.writeHead(200, { 'Api-Version': '1.41', 'Content-Type': 'application/json' })
    const slowness = path in answers ? docker.slowness : 0
    if (slowness === 0) response.end(answers[path] ?? 'OK')
    else setTimeout(() => response.end(answers[path] ?? 'OK'), slowness)
  })
  const docker: TellingDocker = {
    socket,
    calls,
    hangs: false,
    slowness: 0,
    start: () => new Promise<void>((resolve) => server.listen(socket, resolve)),
    async stop() {
      for (const stream of streams) stream.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  await docker.start()
  return docker
}

function container(Id: string, spec: ReturnType<typeof serviceSpecOf>, labels: Labels): Json {
  const joined = spec.networks.map(({ network }) => [network, { NetworkID: network }])
  return {
    Id,
    Names: [`/${spec.object}`],
    Image: spec.image,
    ImageID: 'sha256:1',
    State: 'running',
    Status: 'Up 3 minutes',
    Labels: { ...labels, [label.project]: spec.about.project, [label.service]: spec.about.service },
    NetworkSettings: { Networks: Object.fromEntries(joined) },
    Ports: [],
    Mounts: [],
  }
}
