/** Whether a Podman and a Docker answer, of which version, with which rights, and whether they have room for images. */
import { dockerAt } from '#clients/docker/client.ts'
import * as dockerEngine from '#clients/docker/find-engine.ts'
import * as dockerSystem from '#clients/docker/system.ts'
import { podmanAt } from '#clients/podman/client.ts'
import * as podmanSocket from '#clients/podman/socket.ts'
import * as podmanSystem from '#clients/podman/system.ts'
import { problemOf, type Problem } from '#model/problem.ts'
import type { Finding } from './finding.ts'
import { imagesFinding } from './machine.ts'
import { whereIs } from './programs.ts'

/** An engine that says nothing for so long, in milliseconds, is not waited for. */
const patience = 20_000

export async function podmanFindings(
  target: string | undefined,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const name = 'Podman'
  const costs = 'charts can not be run: tend install, upgrade, watch'
  let address: string
  try {
    address = podmanSocket.findSocket(podmanSocket.surroundings(target))
  } catch (thrown) {
    return [absent(name, problemOf(thrown), costs)]
  }
  const client = podmanAt(address, patience)
  try {
    const { version, isRootless } = await podmanSystem.factsOf(client, signal)
    const found = `${version} at ${address}, ${isRootless ? 'without root' : 'with root'}`
    const storage = await podmanSystem.storageFolder(client, signal)
    const images = imagesFinding('Podman', isLocal(address) ? storage : undefined)
    if (podmanSystem.isAtLeast(version, 4, 3)) return [{ name, state: 'ok', found }, ...images]
    return [{ name, state: 'broken', found, costs, mend: 'install Podman 4.3 or newer' }]
  } catch (thrown) {
    return [mute(name, address, problemOf(thrown), costs)]
  } finally {
    client.close()
  }
}

export async function dockerFindings(
  target: string | undefined,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const name = 'engine of stacks'
  const costs = 'Compose stacks can not be run: tend up, compose'
  let place: ReturnType<typeof dockerEngine.findEngine>
  try {
    place = dockerEngine.findEngine(dockerEngine.surroundings(target))
  } catch (thrown) {
    return [absent(name, problemOf(thrown), costs)]
  }
  const client = dockerAt(place)
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(patience)])
    const facts = await dockerSystem.factsOf(client, limit)
    const kind = facts.runsChecksWhenAsked ? 'Podman' : 'Docker'
    const rights = facts.isRootless ? 'without root' : 'with root'
    const found = `${kind} ${facts.version} at ${place.address}, ${rights}`
    // a Podman is told of above, with its images
    if (kind === 'Podman') return [{ name, state: 'ok', found }]
    if (!podmanSystem.isAtLeast(facts.version, 20, 10)) {
      return [{ name, state: 'broken', found, costs, mend: 'install Docker 20.10 or newer' }]
    }
    const storage = await dockerSystem.storageFolder(client, limit)
    const images = imagesFinding('Docker', isLocal(place.address) ? storage : undefined)
    return [{ name, state: 'ok', found }, ...images]
  } catch (thrown) {
    return [mute(name, place.address, problemOf(thrown), costs)]
  } finally {
    client.close()
  }
}

type Engine = keyof typeof installers

const installers = {
  Podman: {
    programs: ['podman'],
    mend: 'apt-get install -y podman && systemctl enable --now podman.socket',
  },
  'engine of stacks': {
    programs: ['docker', 'dockerd', 'podman'],
    mend: 'apt-get install -y docker.io (or podman, as above)',
  },
} as const

function isLocal(address: string): boolean {
  return address.startsWith('unix:')
}

/** One that is not installed can't be started. `path` is where programs are looked for. */
export function absent(
  name: Engine,
  { message, suggestion }: Problem,
  costs: string,
  path = process.env['PATH'] ?? '',
): Finding {
  const isInstalled = installers[name].programs.some((one) => whereIs(one, path) !== undefined)
  if (isInstalled || !message.startsWith('no ')) {
    const mend = suggestion === undefined ? {} : { mend: suggestion }
    return { name, state: 'missing', found: message, costs, ...mend }
  }
  const found = `${message}, and none is installed`
  return { name, state: 'missing', found, costs, mend: installers[name].mend }
}

function mute(name: string, address: string, problem: Problem, costs: string): Finding {
  const {
    message,
    suggestion = `look at the engine: curl --unix-socket ${address.replace('unix://', '')} http://x/_ping`,
  } = problem
  return {
    name,
    state: 'broken',
    found: message.includes(address) ? message : `${address}: ${message}`,
    costs,
    mend: suggestion,
  }
}
