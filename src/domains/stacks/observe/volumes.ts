/** Volumes of this application, and those of others that it uses. */
import { sourceIn } from '#domains/containers/left-behind.ts'
import { ownByRef } from '#domains/containers/observe/own.ts'
import { recordedOf } from '#domains/containers/record.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import type { Absent, Present } from '#model/resource.ts'
import type { LiveVolume } from '../live-state.ts'
import { volumeSpecOf } from '../spec-of.ts'
import type { View } from './observe.ts'
import { given, missing } from './own.ts'
import { defined } from '#model/defined.ts'

export function observeVolumes({
  lists,
  owner,
  wanted,
  adopted,
}: View): ReadonlyMap<Ref, Absent | Present> {
  const found = new Map<Ref, Absent | Present>()
  const { volumes } = lists
  for (const [ref, own] of ownByRef(volumes, owner)) {
    const { name, labels } = defined(own[0])
    found.set(ref, {
      kind: 'present',
      recorded: recordedOf(labels),
      outputs: { object: name },
      live: {
        name,
        ...sourceIn(labels),
        ...(adopted?.has(`volume ${name}`) === true ? { isAdopted: true } : {}),
      } satisfies LiveVolume,
      spares: [],
    })
  }
  for (const [ref, resource] of wanted) {
    if (kindOf(ref) !== 'volume') continue
    const { object, isExternal } = volumeSpecOf(resource.spec)
    if (!isExternal) continue
    const isThere = volumes.some(({ name }) => name === object)
    const live = { name: object } satisfies LiveVolume
    found.set(ref, isThere ? given(resource, object, live) : missing(resource, 'volume', object))
  }
  return found
}
