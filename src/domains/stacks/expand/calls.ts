/** The single calls that groups of containers are put together from. */
import { callsWith } from '#domains/containers/expand/calls.ts'
import { textOf } from '#model/read-json.ts'
import { parseDuration } from '#formats/compose/canonical/units.ts'
import type { Gate, Operation } from '#model/plan.ts'
import { isDigest, type Value } from '#model/value.ts'
import { shownTexts } from '#domains/containers/sealed-text.ts'
import type { AttachmentSpec } from '../spec.ts'
import type { RecordedService } from '../spec-of.ts'
import { operation } from './operation.ts'

export const calls = callsWith('docker')

/** What must be true before the run may go on. */
export function gateOf(spec: RecordedService): Gate {
  if (spec.awaited !== undefined) return spec.awaited
  const { test, disable } = spec.service.healthcheck ?? {}
  return test === undefined || disable === true ? 'started' : 'healthy'
}

const defaultTimeout = 10

/** Whole seconds, rounded up: less than asked for could cost data. */
export function timeoutOf(spec: RecordedService | undefined): number {
  const period = parseDuration(textOf(spec?.service.stop_grace_period))
  return period === undefined ? defaultTimeout : Math.ceil(Number(period) / 1e9)
}

/** `name` may be an id; `shown` is what a person calls it. What is to run after its start comes with it. */
export function startOperations(
  name: string,
  shown: string,
  spec: RecordedService,
  id = 'start',
): readonly Operation[] {
  return [
    operation({
      id,
      verb: 'container.start',
      payload: { name, shown },
      words: `Starting container ${shown}`,
      command: `docker start ${shown}`,
    }),
    ...hookOperations('post_start', name, shown, spec, id),
  ]
}

/** Only what runs can be asked to do something before it ends. */
export function stopOperations(
  id: string,
  name: string,
  shown: string,
  spec: RecordedService | undefined,
  isRunning: boolean,
): readonly Operation[] {
  const hooks =
    spec === undefined || !isRunning ? [] : hookOperations('pre_stop', name, shown, spec, id)
  return [
    ...hooks.map((hook) => ({ ...hook, disrupts: true })),
    calls.stop(id, name, shown, timeoutOf(spec)),
  ]
}

function hookOperations(
  key: 'post_start' | 'pre_stop',
  name: string,
  shown: string,
  spec: RecordedService,
  id: string,
): readonly Operation[] {
  const { [key]: hooks = [] } = spec.service
  // a record does not tell secrets: a command that had one in it can't be run from there
  return hooks.filter(isWhole).map((hook, index) => {
    const command = shownTexts(hook.command)
    return operation({
      id: `${id}-${key}-${index}`,
      verb: 'container.hook',
      payload: { name, hook, shown: command.join(' '), isTolerant: key === 'pre_stop' },
      words: `Running ${command[0] ?? 'a hook'} in container ${shown}`,
      command: `docker exec ${shown} ${command.join(' ')}`,
    })
  })
}

function isWhole(value: Value): boolean {
  if (isDigest(value)) return false
  return typeof value !== 'object' || value === null || Object.values<Value>(value).every(isWhole)
}

/** Without an attachment it is a stranger's container: how it was on the network was asked when it was taken off. */
export function connectOperation(
  network: string,
  container: string,
  shown: string,
  attachment: AttachmentSpec | undefined,
  id = `connect-${network}`,
): Operation {
  const flags = (attachment?.aliases ?? []).map((alias) => `--alias ${alias} `).join('')
  return operation({
    id,
    verb: 'network.connect',
    payload: { network, container, ...(attachment === undefined ? {} : { attachment }) },
    words: `Connecting container ${shown} to network ${network}`,
    command: `docker network connect ${flags}${network} ${shown}`,
  })
}
