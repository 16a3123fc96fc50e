/** Bound files and folders of the project whose change does not make a container anew, as `on-change` says. */
import type { Drift } from '#domains/containers/changes.ts'
import { isRecord } from '#model/json.ts'
import type { Present, Resource } from '#model/resource.ts'
import { isLater, isSealed, type Value } from '#model/value.ts'
import { liveContainer } from '../live-state.ts'
import type { OnChange, ServiceSpec } from '../spec.ts'
import { isRecordedService, serviceSpecOf } from '../spec-of.ts'

export type ChangedContent = {
  readonly target: string
  readonly what: OnChange
  readonly from: string | undefined
  readonly to: string | undefined
}

/** What it was last given: when it was made, or since then without being made anew. */
export function changedContents(spec: ServiceSpec, seen: Present): readonly ChangedContent[] {
  const recorded = seen.recorded?.spec
  if (recorded === undefined || !isRecordedService(recorded)) return []
  const has = { ...recorded.contents, ...liveContainer(seen.live).contents }
  return Object.entries(spec.onChange ?? {}).flatMap(([target, what]) => {
    const [from, to] = [has[target], spec.contents[target]]
    // what is bound from where it lies needs no filling; and what was never told of began before its changes counted
    const isIdle = what === 'ignore' && spec.fills?.[target] === undefined
    if (isIdle || from === to || from === undefined) return []
    return [{ target, what, from, to }]
  })
}

export function contentDrifts(wanted: Resource, seen: Present): readonly Drift[] {
  return changedContents(serviceSpecOf(wanted.spec), seen).map(({ target, what, from, to }) => ({
    cause: `${target} changed (${wordsOf(what)})`,
    change: { path: `volumes[${target}]`, from: from ?? null, to: to ?? null },
  }))
}

function wordsOf(what: OnChange): string {
  if (what === 'ignore') return 'its files are laid down anew'
  return what === 'restart' ? 'it is restarted' : `${what.slice(7)} is sent`
}

/** Without the contents that are compared here. */
export function withoutHandled(spec: Value, handled: Readonly<Record<string, OnChange>>): Value {
  if (!isRecord<Value>(spec) || isSealed(spec) || isLater(spec)) return spec
  const { contents } = spec
  if (!isRecord<Value>(contents) || Object.keys(handled).length === 0) return spec
  const rest = Object.entries(contents).filter(([target]) => handled[target] === undefined)
  return { ...spec, contents: Object.fromEntries(rest) }
}
