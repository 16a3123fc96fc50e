/** What a container of a chart should do, as its own record says, and how Podman's list says it is. */
import type { ListedContainer } from '#clients/podman/containers.ts'
import type { ListedHealth } from '#model/connection.ts'
import { recordedOf, type Labels } from '#domains/containers/record.ts'
import type { Json } from '#model/json.ts'
import { isContainerSpec } from '../spec-of.ts'
import { readSubject, subjectOf } from './subject.ts'

export type Expected = Pick<ListedHealth, 'isOneShot' | 'restarts' | 'checkEvery'> & {
  /** Its name; one that has another name now is only a spare of it. */
  readonly name: string
  readonly subject: Json
}

/** Undefined: its record can't be read. */
export function expectedOf(labels: Labels): Expected | undefined {
  const spec = recordedOf(labels)?.spec
  if (spec === undefined || !isContainerSpec(spec)) return undefined
  const name = spec.object
  const subject = subjectOf(spec, name)
  const about = readSubject(subject)
  if (about === undefined) return undefined
  const { isOneShot, restarts, health } = about
  const checkEvery = health === undefined ? undefined : health.intervalSeconds * 1000
  return { isOneShot, restarts, checkEvery, name, subject }
}

/** Podman's list tells nothing of health. */
export function listedHealth(one: ListedContainer, expected: Expected): ListedHealth {
  const { isOneShot, restarts, checkEvery } = expected
  const { state } = one
  const exitCode = state === 'exited' || state === 'stopped' ? one.exitCode : undefined
  return { state, exitCode, health: undefined, isOneShot, restarts, checkEvery }
}
