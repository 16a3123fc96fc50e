/** What a container of a chart should do, as its own record says, and how Podman's list says it is. */
import type { ListedContainer } from '#clients/podman/containers.ts'
import { expectedBy, type Expected } from '#domains/containers/expected.ts'
import type { ListedHealth } from '#model/connection.ts'
import { isContainerSpec } from '../spec-of.ts'
import { readSubject, subjectOf } from './subject.ts'

export const expectedOf = expectedBy({
  isSpec: isContainerSpec,
  subjectOf,
  readSubject,
  checkEvery: ({ health }) => health && health.intervalSeconds * 1000,
})

/** Podman's list tells nothing of health. */
export function listedHealth(one: ListedContainer, expected: Expected): ListedHealth {
  const { isOneShot, restarts, checkEvery } = expected
  const { state } = one
  const exitCode = state === 'exited' || state === 'stopped' ? one.exitCode : undefined
  return { state, exitCode, health: undefined, isOneShot, restarts, checkEvery }
}
