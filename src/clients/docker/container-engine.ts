/** The port to an engine of containers, spoken in Docker's API: Docker's own, or Podman's beside libpod's. */
import { alikeIn, fineWhen, inspectedIn } from '#clients/containers/engine.ts'
import { textMapOf, textOf, textsOf } from '#model/read-json.ts'
import type { ContainerEngine, Endpoint } from '#model/container-engine.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Docker } from './client.ts'
import { createContainer, inspectContainer, removeContainer, stopContainer } from './containers.ts'
import { namelessEndpoint } from './address.ts'
import { imageAnnotations, inspectImage } from './images.ts'
import { lastLines } from './logs.ts'
import {
  connectContainer,
  createNetwork,
  disconnectContainer,
  inspectNetwork,
  removeNetwork,
} from './networks.ts'
import { inspectVolume } from './volumes.ts'

export function dockerEngine(docker: Docker): ContainerEngine {
  return {
    ...alikeIn(docker),
    program: 'docker',
    isLocal: docker.isLocal,
    inspectContainer: async (name, signal) =>
      inspectedIn(await inspectContainer(docker, name, signal), endpointIn),
    createContainer: (wanted, signal) => createContainer(docker, wanted, signal),
    stopContainer: (name, seconds, signal) => stopContainer(docker, name, seconds, signal),
    async removeContainer(name, { seconds, withVolumes }, signal) {
      // a removal by force gives no time to end
      if (seconds > 0) await stopContainer(docker, name, seconds, signal)
      await removeContainer(docker, name, withVolumes, signal)
    },
    lastLines: (name, count, signal) => lastLines(docker, name, count, signal),
    async networkLabels(name, signal) {
      const found = await inspectNetwork(docker, name, signal)
      return found && textMapOf(found['Labels'])
    },
    createNetwork: (body, signal) => createNetwork(docker, body, signal),
    async removeNetwork(name, signal, id) {
      // by its id Podman removes one that is in use
      const found = id === undefined ? undefined : await inspectNetwork(docker, name, signal)
      if (textOf(found?.['Id']) === (id ?? '')) await removeNetwork(docker, name, signal)
    },
    connect: (network, container, endpoint, signal) =>
      connectContainer(docker, network, container, endpoint, signal).catch(
        fineWhen(/already (exists|connected|attached)|no such container|no container with/i),
      ),
    disconnect: (network, container, signal) =>
      disconnectContainer(docker, network, container, signal).catch(
        fineWhen(/is not connected|not connected to/i),
      ),
    namelessEndpoint: (network, on, signal) => namelessEndpoint(docker, network, on, signal),
    volumeLabels: async (name, signal) => (await inspectVolume(docker, name, signal))?.labels,
    imageAnnotations: (name, signal) => imageAnnotations(docker, name, signal),
    async imageId(name, signal) {
      const found = await inspectImage(docker, name, signal)
      return found && textOf(found['Id']).replace(/^sha256:/, '')
    },
  }
}

function endpointIn(network: JsonRecord, id: string): Endpoint {
  const { Aliases: aliases, IPAMConfig: ipam, Links: links } = network
  return {
    // engines add the short id by themselves
    Aliases: textsOf(aliases).filter((alias) => !id.startsWith(alias)),
    ...(ipam === undefined || ipam === null ? {} : { IPAMConfig: ipam }),
    ...(links === undefined || links === null ? {} : { Links: links }),
  }
}
