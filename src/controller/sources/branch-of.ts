/** A ref of a source before it was read for the first time. */
import type { SourceDeclared } from '#model/declaration.ts'
import { refTypeOf } from './pushed-ref.ts'
import type { Branch } from './repository-poller.ts'

export function branchOf(source: SourceDeclared, shown: string): Branch {
  const ref = source.kind === 'git' ? source.ref : ''
  const refType = source.kind === 'git' ? refTypeOf(ref) : source.kind
  const status = { shown, ref, revision: '', message: '', refType, at: 0, problem: undefined }
  const nothing = { snapshot: undefined, before: undefined, noted: undefined, known: undefined }
  return { ref, status: { ...status, state: 'queued' }, ...nothing, isHalfRead: false }
}
