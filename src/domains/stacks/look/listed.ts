/** What a container of a stack should do, as its own record says, and how a list says it is. */
import type { ListedContainer } from '#clients/docker/container-list.ts'
import { expectedBy, type Expected } from '#domains/containers/expected.ts'
import type { ListedHealth } from '#model/connection.ts'
import { isRecordedService, type RecordedService } from '../spec-of.ts'
import { readSubject, subjectOf } from './subject.ts'

export const expectedOf = expectedBy({
  isSpec: isRecordedService,
  subjectOf: (spec: RecordedService, name) => subjectOf(spec, name),
  readSubject,
  checkEvery: ({ health }, spec) => (hasCheck(spec) ? health.interval : undefined),
})

/** `isPodman`: there one that is about to be started again is listed as ended. */
export function listedHealth(
  one: ListedContainer,
  expected: Expected,
  isPodman: boolean,
): ListedHealth {
  const { isOneShot, checkEvery } = expected
  const restarts = expected.restarts && isPodman
  const { state, exitCode, health } = one
  return { state, exitCode, health, isOneShot, restarts, checkEvery }
}

/** The one of the file; that of an image is only known to who inspects it. */
export function hasCheck({ service }: RecordedService): boolean {
  const { test: [first] = [], disable } = service.healthcheck ?? {}
  return disable !== true && typeof first === 'string' && first !== '' && first !== 'NONE'
}
