/** What keeps one pod from becoming ready, and when that counts as final. Pure. */
import { numberOf, recordOf, recordsOf, textOf } from '#model/read-json.ts'
import type { JsonRecord } from '#model/json.ts'

export type PodTrouble = {
  readonly pod: JsonRecord
  readonly container?: string
  readonly reason: string
  readonly message: string
  readonly restarts: number
  /** With what it ended last; undefined: it did not. */
  readonly exitCode?: number | undefined
  /** How long it may last before it is final, ms; Infinity: until the set's timeout. */
  readonly grace: number
  /** The container ran and ended, so its last log lines are of interest. */
  readonly hasRun: boolean
  /** It was started again since. */
  readonly isPrevious: boolean
}

/** An image may be pushed, a Secret may arrive a little later than what needs it, ms. */
const usualGrace = 60_000
/** By then the pauses between restarts have grown from 10 to 40 seconds. */
const mostRestarts = 3

/** By the reason that a container waits with, ms. */
const graces: Readonly<Record<string, number>> = {
  ErrImagePull: usualGrace,
  ImagePullBackOff: usualGrace,
  ErrImageNeverPull: usualGrace,
  RegistryUnavailable: usualGrace,
  SignatureValidationFailed: usualGrace,
  // the name is in the pod's own spec: nothing that happens elsewhere can mend it
  InvalidImageName: 0,
  CreateContainerConfigError: usualGrace,
  CreateContainerError: usualGrace,
  RunContainerError: usualGrace,
}
const crashing = 'CrashLoopBackOff'

export function podTroubleOf(pod: JsonRecord): PodTrouble | undefined {
  const status = recordOf(pod['status'])
  for (const list of ['initContainerStatuses', 'containerStatuses']) {
    for (const container of recordsOf(status[list])) {
      const found = containerTrouble(pod, container, list === 'initContainerStatuses')
      if (found !== undefined) return found
    }
  }
  return unschedulable(pod)
}

function containerTrouble(
  pod: JsonRecord,
  container: JsonRecord,
  isInit: boolean,
): PodTrouble | undefined {
  const state = recordOf(container['state'])
  const waiting = recordOf(state['waiting'])
  const reason = textOf(waiting['reason'])
  const restarts = numberOf(container['restartCount'])
  const about = { pod, container: textOf(container['name']), restarts }
  const hasRun = reason === crashing
  const grace = hasRun ? (restarts < mostRestarts ? Infinity : 0) : graces[reason]
  if (grace !== undefined) {
    const last = recordOf(recordOf(container['lastState'])['terminated'])
    const message = `${textOf(waiting['message'])}${exitText(last)}`.trim()
    const exitCode = exitCodeIn(last)
    return { ...about, reason, message, grace, hasRun, isPrevious: hasRun, exitCode }
  }
  const ended = recordOf(state['terminated'])
  if (!isInit || !hasFailedForGood(pod, ended)) return undefined
  const message = `${textOf(ended['message'])}${exitText(ended)}`.trim()
  const why = textOf(ended['reason']) || 'Error'
  const exitCode = exitCodeIn(ended)
  return { ...about, reason: why, message, grace: 0, hasRun: true, isPrevious: false, exitCode }
}

/** An init container that is not started again. */
function hasFailedForGood(pod: JsonRecord, ended: JsonRecord): boolean {
  return numberOf(ended['exitCode']) !== 0 && recordOf(pod['spec'])['restartPolicy'] === 'Never'
}

function exitCodeIn({ exitCode }: JsonRecord): number | undefined {
  return exitCode === undefined ? undefined : numberOf(exitCode)
}

function exitText({ exitCode }: JsonRecord): string {
  return exitCode === undefined ? '' : ` (exit code ${numberOf(exitCode)})`
}

function unschedulable(pod: JsonRecord): PodTrouble | undefined {
  const conditions = recordsOf(recordOf(pod['status'])['conditions'])
  const found = conditions.find(({ type, status, reason }) => {
    return type === 'PodScheduled' && status === 'False' && reason === 'Unschedulable'
  })
  if (found === undefined) return undefined
  const about = { reason: 'Unschedulable', message: textOf(found['message']), restarts: 0 }
  return { pod, ...about, grace: Infinity, hasRun: false, isPrevious: false }
}

/** How a container that runs again ended before; of several the one that ended last. Undefined: none did. */
export type Restarted = {
  readonly pod: JsonRecord
  readonly container: string
  readonly reason: string
  readonly restarts: number
  readonly exitCode: number | undefined
}

export function lastRestartIn(pods: readonly JsonRecord[]): Restarted | undefined {
  const all = pods.flatMap((pod) =>
    recordsOf(recordOf(pod['status'])['containerStatuses']).flatMap((container) => {
      const restarts = numberOf(container['restartCount'])
      if (restarts === 0) return []
      const ended = recordOf(recordOf(container['lastState'])['terminated'])
      const at = Date.parse(textOf(ended['finishedAt'])) || 0
      const about = { reason: textOf(ended['reason']) || 'ended', exitCode: exitCodeIn(ended) }
      return [{ pod, container: textOf(container['name']), restarts, at, ...about }]
    }),
  )
  return all.toSorted((one, other) => other.at - one.at)[0]
}
