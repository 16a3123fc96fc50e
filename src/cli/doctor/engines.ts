/** Whether a Podman and a Docker answer, of which version, and with which rights. */
import { dockerAt } from '#clients/docker/client.ts'
import * as dockerEngine from '#clients/docker/find-engine.ts'
import * as dockerSystem from '#clients/docker/system.ts'
import { podmanAt } from '#clients/podman/client.ts'
import * as podmanSocket from '#clients/podman/socket.ts'
import * as podmanSystem from '#clients/podman/system.ts'
import { problemOf, type Problem } from '#model/problem.ts'
import type { Finding } from './finding.ts'

/** An engine that says nothing for so long, in milliseconds, is not waited for. */
const patience = 20_000

export async function podmanFinding(
  target: string | undefined,
  signal: AbortSignal,
): Promise<Finding> {
  const [name, costs] = ['Podman', 'charts can not be run: tend install, upgrade, watch']
  let address: string
  try {
    address = podmanSocket.findSocket(podmanSocket.surroundings(target))
  } catch (thrown) {
    return absent(name, problemOf(thrown), costs)
  }
  const client = podmanAt(address, patience)
  try {
    const { version, isRootless } = await podmanSystem.factsOf(client, signal)
    const found = `${version} at ${address}, ${isRootless ? 'without root' : 'with root'}`
    if (podmanSystem.isAtLeast(version, 4, 3)) return { name, state: 'ok', found }
    return { name, state: 'broken', found, costs, mend: 'install Podman 4.3 or newer' }
  } catch (thrown) {
    return mute(name, address, problemOf(thrown), costs)
  } finally {
    client.close()
  }
}

export async function dockerFinding(
  target: string | undefined,
  signal: AbortSignal,
): Promise<Finding> {
  const [name, costs] = ['engine of stacks', 'Compose stacks can not be run: tend up, compose']
  let place: ReturnType<typeof dockerEngine.findEngine>
  try {
    place = dockerEngine.findEngine(dockerEngine.surroundings(target))
  } catch (thrown) {
    return absent(name, problemOf(thrown), costs)
  }
  const client = dockerAt(place)
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(patience)])
    const facts = await dockerSystem.factsOf(client, limit)
    const kind = facts.runsChecksWhenAsked ? 'Podman' : 'Docker'
    const rights = facts.isRootless ? 'without root' : 'with root'
    return { name, state: 'ok', found: `${kind} ${facts.version} at ${place.address}, ${rights}` }
  } catch (thrown) {
    return mute(name, place.address, problemOf(thrown), costs)
  } finally {
    client.close()
  }
}

function absent(name: string, { message, suggestion }: Problem, costs: string): Finding {
  const mend = suggestion === undefined ? {} : { mend: suggestion }
  return { name, state: 'missing', found: message, costs, ...mend }
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
