/** What is kept of an object that a watch shows: whose it is, what tells that it changed, and how it is by what it says itself. */
import { metadataOf } from '#formats/manifest/metadata.ts'
import type { Clock } from '#model/clock.ts'
import type { Look } from '#model/domain.ts'
import type { JsonRecord } from '#model/json.ts'
import { recordOf } from '#model/read-json.ts'
import type { Ref } from '#model/ref.ts'
import type { ApplyOptions } from '../apply-options.ts'
import { isImmediate } from '../apply-stages.ts'
import { healthOf } from '../look/health.ts'
import {
  nameOfObject,
  ownerName,
  ownerNamespace,
  refOfObject,
  type ObjectName,
  type Owner,
} from '../object.ts'
import { marksOf } from './change-marks.ts'
import { isCopy } from './managed-kinds.ts'
import { readyPods, type ReadyPods } from './ready-pods.ts'

export type Mark = {
  readonly owner: string
  readonly mark: string
  readonly object: JsonRecord
  /** Undefined: it is well once it is there. */
  readonly look: Look | undefined
  readonly pods: ReadyPods
  /** It was well and ceased to be so, though nobody changed what it is to be: how it was then, and when that was, ms. */
  readonly lapse?: { readonly look: Look; readonly at: number }
}

/** A lapse may be over before anybody looks: it is kept while nobody changes the object. */
export function withLapse(before: Mark | undefined, now: Mark, at: number): Mark {
  if (before === undefined || before.mark !== now.mark || now.look === undefined) return now
  const hasBegun = before.look?.state === 'ok' && now.look.state !== 'ok'
  const lapse = hasBegun ? { look: now.look, at } : before.lapse
  return lapse === undefined ? now : { ...now, lapse }
}

/** Undefined: it is no set's. */
export function seenObject(
  object: JsonRecord,
  clock: Clock,
  optionsOf: (owner: Owner) => ApplyOptions,
): readonly [Ref, Mark] | undefined {
  const { labels } = metadataOf(object)
  const [name, namespace] = [labels[ownerName], labels[ownerNamespace]]
  if (name === undefined || namespace === undefined || isCopy(object)) return undefined
  const [owner, about] = [{ namespace, name }, nameOfObject(object)]
  const look = hasHealth(about)
    ? healthOf({ clock, owner, options: optionsOf(owner) }, object)
    : undefined
  const mark = {
    owner: ownerText(owner),
    mark: marksOf(object),
    object: shortened(object),
    look,
    pods: readyPods(object),
  }
  return [refOfObject(about), mark]
}

/** Definitions are large, and stay well once they are. */
export function hasHealth({ group, kind }: Pick<ObjectName, 'group' | 'kind'>): boolean {
  return !isImmediate({ group, kind }) && kind !== 'CustomResourceDefinition'
}

export function isSame(one: Mark | undefined, other: Mark | undefined): boolean {
  const isAlike = one?.mark === other?.mark && one?.owner === other?.owner
  const [look, otherLook] = [one?.look, other?.look]
  const [pods, otherPods] = [one?.pods, other?.pods]
  const isAsWell = look?.state === otherLook?.state && look?.message === otherLook?.message
  return (
    isAlike && isAsWell && pods?.running === otherPods?.running && pods?.total === otherPods?.total
  )
}

export function ownerText({ namespace, name }: Owner): string {
  return `${namespace}/${name}`
}

export function ownerIn(text: string): Owner {
  const slash = text.indexOf('/')
  return { namespace: text.slice(0, slash), name: text.slice(slash + 1) }
}

/** Its metadata without managed fields: all that is kept of it. */
function shortened({ apiVersion = null, kind = null, ...object }: JsonRecord): JsonRecord {
  const { managedFields: _, ...metadata } = recordOf(object['metadata'])
  return { apiVersion, kind, metadata }
}
