/** Limits and restart policies that somebody changed by hand: no list tells them, so each container is asked. */
import type { Docker } from '#clients/docker/client.ts'
import { inspectContainer } from '#clients/docker/containers.ts'
import { recordOf } from '#model/read-json.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import type { Absent, Present } from '#model/resource.ts'
import { liveContainer } from '../live-state.ts'
import type { Memory } from '../memory.ts'
import { factsIn } from '../operate/job.ts'
import { changedSettings, settingsIn } from '../settings.ts'
import { isRecordedService } from '../spec-of.ts'

/** Of those that are wanted. Only what differs from the record is noted. */
export async function noteSettings(
  docker: Docker,
  memory: Memory,
  wanted: Iterable<Ref>,
  found: Map<Ref, Absent | Present>,
  signal: AbortSignal,
): Promise<void> {
  const asked = [...wanted].map(async (ref) => {
    const seen = found.get(ref)
    if (seen?.kind !== 'present' || kindOf(ref) !== 'container') return
    const spec = seen.recorded?.spec
    if (spec === undefined || !isRecordedService(spec)) return
    const about = await inspectContainer(docker, liveContainer(seen.live).id, signal)
    const facts = await factsIn(docker, memory, signal)
    const settings = settingsIn(about?.['HostConfig'], facts.limitsProcesses)
    if (about === undefined || changedSettings(spec, settings).length === 0) return
    // Podman tells defaults of its own as limits, and lets nobody change them through this API
    if (facts.runsChecksWhenAsked) return
    found.set(ref, { ...seen, live: { ...recordOf(seen.live), settings } })
  })
  await Promise.all(asked)
}
