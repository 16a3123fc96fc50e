/** The bodies that the contract of engines makes its objects from, in the words of each API. */
import { dockerAt } from '#clients/docker/client.ts'
import { dockerEngine } from '#clients/docker/container-engine.ts'
import { listVolumes } from '#clients/docker/volumes.ts'
import { podmanAt } from '#clients/podman/client.ts'
import { podmanEngine } from '#clients/podman/container-engine.ts'
import { listVolumes as listPodmanVolumes } from '#clients/podman/volumes.ts'
import { busybox } from '../testbed/image.ts'
import type { Bench } from './container-engine.ts'

type Served = { readonly socket: string; stop(): Promise<void> }

const { signal } = new AbortController()

export function dockerBench(served: Served): Bench {
  const docker = dockerAt({ address: `unix://${served.socket}` })
  return {
    engine: dockerEngine(docker),
    speaker: docker,
    container: (_, { command, labels = {}, anonymous, volume, network, check, port }) => ({
      Image: busybox,
      Cmd: command,
      Labels: labels,
      ...(anonymous === undefined ? {} : { Volumes: { [anonymous]: {} } }),
      ...(check === undefined ? {} : { Healthcheck: { Test: check } }),
      ...(port === undefined ? {} : { ExposedPorts: { [`${port.container}/tcp`]: {} } }),
      HostConfig: {
        ...(volume === undefined ? {} : { Binds: [`${volume.name}:${volume.target}`] }),
        ...(network === undefined ? {} : { NetworkMode: network }),
        ...(port === undefined
          ? {}
          : { PortBindings: { [`${port.container}/tcp`]: [{ HostPort: String(port.host) }] } }),
      },
    }),
    network: (name, labels) => ({ Name: name, Driver: 'bridge', Labels: labels }),
    volume: (name, labels) => ({ Name: name, Driver: 'local', Labels: labels }),
    endpoint: (aliases) => ({ Aliases: aliases }),
    volumes: async () => (await listVolumes(docker, [], signal)).map(({ name }) => name).toSorted(),
    async close() {
      docker.close()
      await served.stop()
    },
  }
}

export function podmanBench(served: Served): Bench {
  const podman = podmanAt(`unix://${served.socket}`)
  return {
    engine: podmanEngine(podman),
    speaker: podman,
    container: (name, { command, labels = {}, anonymous, volume, network, check, port }) => ({
      name,
      image: busybox,
      command,
      labels,
      volumes: [
        ...(anonymous === undefined ? [] : [{ Dest: anonymous }]),
        ...(volume === undefined ? [] : [{ Name: volume.name, Dest: volume.target }]),
      ],
      ...(network === undefined
        ? {}
        : { netns: { nsmode: 'bridge' }, Networks: { [network]: {} } }),
      ...(check === undefined ? {} : { healthconfig: { Test: check } }),
      ...(port === undefined
        ? {}
        : { portmappings: [{ container_port: port.container, host_port: port.host }] }),
    }),
    network: (name, labels) => ({ name, driver: 'bridge', dns_enabled: true, labels }),
    volume: (name, labels) => ({ Name: name, Driver: 'local', Labels: labels }),
    endpoint: (aliases) => ({ aliases }),
    volumes: async () =>
      (await listPodmanVolumes(podman, signal)).map(({ name }) => name).toSorted(),
    async close() {
      podman.close()
      await served.stop()
    },
  }
}
