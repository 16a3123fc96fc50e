/** What is done with a container whose bound files changed, where `on-change` says that it stays. */
import type { Expansion } from '#model/domain.ts'
import type { Operation } from '#model/plan.ts'
import { changedContents, type ChangedContent } from '../compare/contents.ts'
import type { LiveContainer } from '../live-state.ts'
import { markerLabel } from '../marker.ts'
import type { Fill, ServiceSpec } from '../spec.ts'
import { startOperations, timeoutOf } from './calls.ts'
import { operation } from './operation.ts'

/** Before a container is made: its files lie there already when it starts. */
export function fillOperations(spec: ServiceSpec): readonly Operation[] {
  const fills = fillsOf(spec, Object.keys(spec.fills ?? {}))
  return fills.length === 0 ? [] : [fillOperation('fill', 'container.fill', spec, fills)]
}

type ContentSteps = {
  readonly make: readonly Operation[]
  readonly undo: readonly Operation[]
}

/** `starts`: it is started in this step anyhow, and then sees them. */
export function contentSteps(
  { seen, identity }: Expansion,
  spec: ServiceSpec,
  live: LiveContainer,
  starts: boolean,
): ContentSteps {
  const changed = seen.kind === 'present' ? changedContents(spec, seen) : []
  if (changed.length === 0) return { make: [], undo: [] }
  const fills = fillsOf(
    spec,
    changed.map(({ target }) => target),
  )
  const told = (prefix: string): readonly Operation[] => tellOperations(prefix, changed, spec, live)
  const note = (id: string, which: 'from' | 'to'): Operation =>
    operation({
      id,
      verb: 'container.given',
      payload: {
        name: live.id,
        owner: identity.owner,
        contents: Object.fromEntries(changed.map((one) => [one.target, one[which] ?? ''])),
      },
      words: `Noting what container ${spec.object} was given`,
      command: `docker volume create --label ${markerLabel.given}=…`,
    })
  const filled = fills.length > 0
  return {
    make: [
      ...(filled ? [fillOperation('fill', 'container.fill', spec, fills)] : []),
      ...(starts ? [] : told('')),
      note('given', 'to'),
    ],
    undo: [
      ...(filled ? [fillOperation('unfill', 'container.unfill', spec, fills)] : []),
      note('given-before', 'from'),
      ...(filled ? told('again-') : []),
    ],
  }
}

function fillsOf({ fills = {} }: ServiceSpec, targets: readonly string[]): readonly Fill[] {
  return targets.flatMap((target) => {
    const fill = fills[target]
    return fill === undefined || fill.from === fill.to ? [] : [fill]
  })
}

function fillOperation(
  id: string,
  verb: 'container.fill' | 'container.unfill',
  { object }: ServiceSpec,
  fills: readonly Fill[],
): Operation {
  const isBack = verb === 'container.unfill'
  return operation({
    id,
    verb,
    payload: { fills: fills.map(({ from, to }) => ({ from, to })) },
    words: isBack
      ? `Putting back the bound files of container ${object}`
      : `Laying down the bound files of container ${object}`,
    command: fills
      .map(({ from, to }) => `rsync -a --delete ${isBack ? to : from} ${to}`)
      .join(' && '),
  })
}

/** A restart is worth every signal. */
function tellOperations(
  prefix: string,
  changed: readonly ChangedContent[],
  spec: ServiceSpec,
  live: LiveContainer,
): readonly Operation[] {
  if (live.state !== 'running') return []
  const { object } = spec
  if (changed.some(({ what }) => what === 'restart')) {
    const restart = operation({
      id: `${prefix}restart`,
      verb: 'container.restart',
      payload: { name: live.id, seconds: timeoutOf(spec) },
      words: `Restarting container ${object}`,
      command: `docker restart ${object}`,
      disrupts: true,
    })
    const [, ...hooks] = startOperations(live.id, object, spec, `${prefix}start`)
    return [restart, ...hooks]
  }
  const signals = new Set(
    changed.flatMap(({ what }) => (what.startsWith('signal:') ? [what.slice(7)] : [])),
  )
  return [...signals].map((signal) =>
    operation({
      id: `${prefix}signal-${signal}`,
      verb: 'container.signal',
      payload: { name: live.id, signal },
      words: `Sending ${signal} to container ${object}`,
      command: `docker kill --signal ${signal} ${object}`,
    }),
  )
}
