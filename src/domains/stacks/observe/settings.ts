/** Limits and restart policies that somebody changed by hand: no list tells them, so each container is asked, once while events are heard. */
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

/**
 * Of those that are wanted. Only what differs from the record is noted. Podman tells defaults of its own as limits, and lets nobody
 * change them through this API: there nothing is asked.
 */
export async function noteSettings(
  docker: Docker,
  memory: Memory,
  wanted: Iterable<Ref>,
  found: Map<Ref, Absent | Present>,
  signal: AbortSignal,
): Promise<void> {
  const due = [...wanted].flatMap((ref) => {
    const seen = found.get(ref)
    if (seen?.kind !== 'present' || kindOf(ref) !== 'container') return []
    const spec = seen.recorded?.spec
    return spec === undefined || !isRecordedService(spec) ? [] : [{ ref, seen, spec }]
  })
  if (due.length === 0) return
  const facts = await factsIn(docker, memory, signal)
  if (facts.runsChecksWhenAsked) return
  const asked = due.map(async ({ ref, seen, spec }) => {
    const { id } = liveContainer(seen.live)
    const hostConfig = await memory.settings.inspected(id, async () => {
      return (await inspectContainer(docker, id, signal))?.['HostConfig']
    })
    const settings = settingsIn(hostConfig, facts.limitsProcesses)
    if (hostConfig === undefined || changedSettings(spec, settings).length === 0) return
    found.set(ref, { ...seen, live: { ...recordOf(seen.live), settings } })
  })
  await Promise.all(asked)
}
