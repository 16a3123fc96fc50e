/** What people and other programs do to Podman behind our back, each as one line of a scenario. */
import type { Podman } from '#clients/podman/client.ts'
import {
  createContainer,
  inspectContainer,
  removeContainer,
  renameContainer,
  startContainer,
  stopContainer,
} from '#clients/podman/containers.ts'
import { recordOf } from '#model/read-json.ts'
import {
  connectContainer,
  createNetwork,
  disconnectContainer,
  removeNetwork,
} from '#clients/podman/networks.ts'
import { listPods, removePod } from '#clients/podman/pods.ts'
import { listSecrets, removeSecret } from '#clients/podman/secrets.ts'
import { createVolume, removeVolume } from '#clients/podman/volumes.ts'

const { signal } = new AbortController()
const image = 'localhost/tend/busybox:1'

type Deed = {
  readonly words: RegExp
  readonly do: (podman: Podman, one: string, other: string) => Promise<unknown>
}

const deeds: readonly Deed[] = [
  { words: /^stop container (\S+)$/, do: (podman, name) => stopContainer(podman, name, 0, signal) },
  {
    words: /^ask container (\S+) to stop$/,
    do: (podman, name) => stopContainer(podman, name, 10, signal),
  },
  { words: /^pause container (\S+)$/, do: (podman, name) => post(podman, name, 'pause') },
  {
    words: /^remove container (\S+)$/,
    do: (podman, name) => removeContainer(podman, name, 0, signal),
  },
  {
    words: /^rename container (\S+) to (\S+)$/,
    do: (podman, name, to) => renameContainer(podman, name, to, signal),
  },
  {
    words: /^disconnect container (\S+) from (\S+)$/,
    do: (podman, name, network) => disconnectContainer(podman, network, name, signal),
  },
  {
    words: /^connect container (\S+) to (\S+)$/,
    do: (podman, name, network) => connectContainer(podman, network, name, [], signal),
  },
  /** A stranger's, perhaps on a port of the host. */
  { words: /^run container (\S+)(?: on port (\d+))?$/, do: runStranger },
  /** What a killed run leaves: one with the same labels under another name, not running. */
  { words: /^copy container (\S+) as (\S+)$/, do: copy },
  { words: /^tag image (\S+) as (\S+)$/, do: tag },
  {
    words: /^create network (\S+)$/,
    do: (podman, name) => createNetwork(podman, { name, driver: 'bridge' }, signal),
  },
  {
    words: /^create volume (\S+)$/,
    do: (podman, name) => createVolume(podman, { Name: name }, signal),
  },
  { words: /^remove network (\S+)$/, do: (podman, name) => removeNetwork(podman, name, signal) },
  { words: /^remove volume (\S+)$/, do: (podman, name) => removeVolume(podman, name, signal) },
  { words: /^remove secret (\S+)$/, do: dropSecret },
  {
    words: /^remove pod (\S+)$/,
    do: (podman, name) => removePod(podman, { id: name, name }, signal),
  },
  { words: /^stop pod (\S+)$/, do: haltPod },
]

export async function byHand(podman: Podman, line: string): Promise<void> {
  for (const { words, do: act } of deeds) {
    const match = words.exec(line)
    if (match === null) continue
    await act(podman, match[1] ?? '', match[2] ?? '')
    return
  }
  throw new Error(`nobody knows how to "${line}"`)
}

function post(podman: Podman, name: string, verb: string): Promise<unknown> {
  return podman.ask('POST', `/containers/${name}/${verb}`, { signal, doing: verb })
}

async function runStranger(podman: Podman, name: string, port: string): Promise<void> {
  const mapping = { container_port: 80, host_port: Number(port), protocol: 'tcp' }
  const ports = port === '' ? {} : { portmappings: [mapping] }
  const body = { name, image, entrypoint: ['/bin/sleep', '1000'], stop_timeout: 0, ...ports }
  await createContainer(podman, body, signal)
  await startContainer(podman, name, signal)
}

async function copy(podman: Podman, from: string, name: string): Promise<void> {
  const found = await inspectContainer(podman, from, signal)
  const labels = recordOf(recordOf(found?.['Config'])['Labels'])
  await createContainer(podman, { name, image, labels, entrypoint: ['/bin/sleep'] }, signal)
}

async function tag(podman: Podman, name: string, as: string): Promise<void> {
  const [repo = '', version = ''] = as.split(/:(?=[^:]*$)/)
  const query = { repo, tag: version }
  await podman.ask('POST', `/images/${encodeURIComponent(name)}/tag`, {
    query,
    signal,
    doing: 'tag',
  })
}

/** As the command does it: Podman's own call leaves a pod alone of which a member has ended. */
async function haltPod(podman: Podman, name: string): Promise<void> {
  const pod = (await listPods(podman, signal)).find((found) => found.name === name)
  for (const { id } of pod?.members ?? []) await stopContainer(podman, id, 0, signal)
}

async function dropSecret(podman: Podman, name: string): Promise<void> {
  const secrets = await listSecrets(podman, signal)
  const found = secrets.find((secret) => secret.name === name)
  if (found === undefined) throw new Error(`there is no secret ${name}`)
  await removeSecret(podman, found.id, signal)
}
