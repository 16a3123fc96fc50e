/** What a container should do, as its own record says. */
import type { ListedHealth } from '#model/connection.ts'
import { isRecord, type Json } from '#model/json.ts'
import { recordedOf, type Labels } from './record.ts'

export type Expected = Pick<ListedHealth, 'isOneShot' | 'restarts' | 'checkEvery'> & {
  /** Its name; one that has another name now is only a spare of it. */
  readonly name: string
  readonly subject: Json
}

type Subject = { readonly isOneShot: boolean; readonly restarts: boolean }

/** Undefined: its record can't be read. `checkEvery`: undefined without a check, ms. */
export function expectedBy<Spec extends { readonly object: string }, About extends Subject>(how: {
  readonly isSpec: (spec: Json) => spec is Spec & Json
  readonly subjectOf: (spec: Spec, name: string) => Json
  readonly readSubject: (subject: Json) => About | undefined
  readonly checkEvery: (about: About, spec: Spec) => number | undefined
}): (labels: Labels) => Expected | undefined {
  return (labels) => {
    const spec = recordedOf(labels)?.spec
    if (spec === undefined || !how.isSpec(spec)) return undefined
    const name = spec.object
    const subject = how.subjectOf(spec, name)
    const about = how.readSubject(subject)
    if (about === undefined) return undefined
    const { isOneShot, restarts } = about
    return { isOneShot, restarts, checkEvery: how.checkEvery(about, spec), name, subject }
  }
}

/** Of the container that was listed: another one may have its name when it is looked at. */
export function subjectWith({ subject }: Expected, id: string): Json {
  return isRecord<Json>(subject) ? { ...subject, name: id } : subject
}
