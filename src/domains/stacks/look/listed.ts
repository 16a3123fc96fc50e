/** What a container of a stack should do, as its own record says, and how a list says it is. */
import { recordOf } from '#clients/http/read.ts'
import type { ListedContainer } from '#clients/docker/container-list.ts'
import type { ListedHealth } from '#model/connection.ts'
import { recordedOf, type Labels } from '#domains/containers/record.ts'
import { isList, type Json } from '#model/json.ts'
import { isRecordedService, type RecordedService } from '../spec-of.ts'
import { readSubject, subjectOf } from './subject.ts'

export type Expected = Pick<ListedHealth, 'isOneShot' | 'restarts' | 'checkEvery'> & {
  /** Its name; one that has another name now is only a spare of it. */
  readonly name: string
  readonly subject: Json
}

/** Undefined: its record can't be read. */
export function expectedOf(labels: Labels): Expected | undefined {
  const spec = recordedOf(labels)?.spec
  if (spec === undefined || !isRecordedService(spec)) return undefined
  const name = spec.object
  const subject = subjectOf(spec, name)
  const about = readSubject(subject)
  if (about === undefined) return undefined
  const { isOneShot, restarts, health } = about
  return {
    isOneShot,
    restarts,
    checkEvery: hasCheck(spec) ? health.interval : undefined,
    name,
    subject,
  }
}

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
  const check = recordOf(service['healthcheck'])
  const test = check['test']
  const [first] = isList<Json>(test) ? test : [test]
  return check['disable'] !== true && typeof first === 'string' && first !== '' && first !== 'NONE'
}
