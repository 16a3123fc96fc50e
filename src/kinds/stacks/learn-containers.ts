/**
 * What no list tells of a container, asked once when it is first seen: on Podman the health check of its image, which nobody else runs
 * there without systemd; and when the service begins, limits that somebody changed while nobody listened.
 */
import type { Docker } from '#clients/docker/client.ts'
import type { ListedContainer } from '#clients/docker/container-list.ts'
import { inspectContainer } from '#clients/docker/containers.ts'
import type { EngineFacts } from '#clients/docker/system.ts'
import { numberOf, recordOf, textsOf } from '#model/read-json.ts'
import { recordedOf, recordLabel } from '#domains/containers/record.ts'
import { hasCheck } from '#domains/stacks/look/listed.ts'
import { changedSettings, settingsIn } from '#domains/stacks/settings.ts'
import { isRecordedService, type RecordedService } from '#domains/stacks/spec-of.ts'
import type { JsonRecord } from '#model/json.ts'

type Learned = {
  /** Of its image, ms. */
  readonly check: ImageCheck | undefined
  /** Which limits differ from what it was made with; empty: none. */
  readonly changed: string
}

export type ImageCheck = {
  readonly interval: number
  readonly startPeriod: number
  readonly retries: number
}

type Facts = Pick<EngineFacts, 'runsChecksWhenAsked' | 'limitsProcesses'>

/** By id. */
export type LearnedContainers = ReadonlyMap<string, Learned>

const nothing: Learned = { check: undefined, changed: '' }

/** How many are asked at once. */
const most = 8

export function containerLearner(
  docker: Docker,
  instance: string,
): (
  containers: readonly ListedContainer[],
  facts: Facts,
  signal: AbortSignal,
) => Promise<LearnedContainers> {
  const learned = new Map<string, Learned>()
  let isFirst = true
  return async (containers, facts, signal) => {
    const isPodman = facts.runsChecksWhenAsked
    const there = new Set(containers.map(({ id }) => id))
    for (const id of learned.keys()) if (!there.has(id)) learned.delete(id)
    const due = containers.flatMap(({ id, labels }) => {
      if (labels[recordLabel.owner]?.startsWith(`${instance}:`) !== true) return []
      const known = learned.get(id)
      // what was changed is asked again until it is put right
      if (known !== undefined && known.changed === '') return []
      const mayBeAsked = known !== undefined || isPodman || isFirst
      const spec = mayBeAsked ? recordedOf(labels)?.spec : undefined
      if (spec !== undefined && isRecordedService(spec)) {
        if (known !== undefined || !isPodman || !hasCheck(spec)) return [{ id, spec }]
      }
      // its labels stay as they are: they are not read again with every list
      learned.set(id, nothing)
      return []
    })
    try {
      for (let at = 0; at < due.length; at += most) {
        await Promise.all(
          due.slice(at, at + most).map(async ({ id, spec }) => {
            const found = await inspectContainer(docker, id, signal)
            if (found !== undefined) learned.set(id, learnedFrom(found, spec, facts))
          }),
        )
      }
      isFirst = false
    } catch {
      // what the lists tell counts all the same; the rest is asked for with the next ones
      signal.throwIfAborted()
    }
    return learned
  }
}

/** Podman tells defaults of its own as limits: there nothing is said of them. */
function learnedFrom(found: JsonRecord, spec: RecordedService, facts: Facts): Learned {
  const isPodman = facts.runsChecksWhenAsked
  const settings = settingsIn(found['HostConfig'], facts.limitsProcesses)
  const changed = isPodman ? [] : changedSettings(spec, settings)
  return {
    check: isPodman ? checkIn(recordOf(found['Config'])['Healthcheck']) : undefined,
    changed: changed.map(({ path, from }) => `${path}=${from}`).join(' '),
  }
}

/** Nanoseconds, and what Docker takes where the image says nothing. */
function checkIn(value: unknown): ImageCheck | undefined {
  const check = recordOf(value)
  const [first = 'NONE'] = textsOf(check['Test'])
  if (first === 'NONE' || first === '') return undefined
  const milliseconds = (field: string): number => numberOf(check[field]) / 1e6
  return {
    interval: milliseconds('Interval') || 30_000,
    startPeriod: milliseconds('StartPeriod'),
    retries: numberOf(check['Retries']) || 3,
  }
}
