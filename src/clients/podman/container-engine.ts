/** The port to an engine of containers, spoken in libpod's API. */
import { connectAt } from '#clients/containers/calls.ts'
import { alikeIn, fineWhen, inspectedIn } from '#clients/containers/engine.ts'
import { textMapOf, textOf, textsOf } from '#model/read-json.ts'
import type { ContainerEngine, Endpoint } from '#model/container-engine.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Podman } from './client.ts'
import { createContainer, inspectContainer, removeContainer, stopContainer } from './containers.ts'
import { findImage, imageAnnotations } from './images.ts'
import { lastLines } from './logs.ts'
import { createNetwork, disconnectContainer, inspectNetwork, removeNetwork } from './networks.ts'
import { inspectVolume } from './volumes.ts'

export function podmanEngine(podman: Podman): ContainerEngine {
  return {
    ...alikeIn(podman),
    program: 'podman',
    isLocal: podman.isLocal,
    inspectContainer: async (name, signal) =>
      inspectedIn(await inspectContainer(podman, name, signal), endpointIn),
    createContainer: ({ name, body }, signal) => createContainer(podman, { ...body, name }, signal),
    stopContainer: (name, seconds, signal) => stopContainer(podman, name, seconds, signal),
    removeContainer: (name, { seconds, withVolumes }, signal) =>
      removeContainer(podman, name, seconds, signal, withVolumes),
    lastLines: (name, count, signal) => lastLines(podman, name, count, signal),
    async networkLabels(name, signal) {
      const found = await inspectNetwork(podman, name, signal)
      return found && textMapOf(found['labels'])
    },
    createNetwork: (body, signal) => createNetwork(podman, body, signal),
    async removeNetwork(name, signal, id) {
      // by its id Podman removes one that is in use
      const found = id === undefined ? undefined : await inspectNetwork(podman, name, signal)
      if (textOf(found?.['id']) === (id ?? '')) await removeNetwork(podman, name, signal)
    },
    connect: (network, container, endpoint, signal) =>
      connectAt(podman, network, container, { container, aliases: [], ...endpoint }, signal).catch(
        fineWhen(/already connected|no such container|no container with/i),
      ),
    disconnect: (network, container, signal) =>
      disconnectContainer(podman, network, container, signal).catch(
        fineWhen(/not connected to|is not connected/i),
      ),
    namelessEndpoint: (_, { addresses, mac }) =>
      Promise.resolve({ static_ips: addresses, static_mac: mac }),
    volumeLabels: async (name, signal) => (await inspectVolume(podman, name, signal))?.labels,
    imageId: (name, signal) => findImage(podman, name, signal),
    imageAnnotations: (name, signal) => imageAnnotations(podman, name, signal),
  }
}

function endpointIn({ Aliases: aliases }: JsonRecord, id: string): Endpoint {
  // Podman adds the short id by itself
  return { aliases: textsOf(aliases).filter((alias) => !id.startsWith(alias)) }
}
