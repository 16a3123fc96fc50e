/** Files that are not on this machine: a repository or a registry. They are never fetched here. */
import { failure, fileFailure } from '../compose-error.ts'
import type { SourceLocation } from '../yaml/source.ts'

export function isRemote(path: string): boolean {
  return (
    /^(?:https?|ssh|git|oci):\/\//i.test(path) ||
    path.startsWith('github.com/') ||
    /^[a-zA-Z0-9_-]+@[a-zA-Z0-9.-]+:/.test(path)
  )
}

export function refuseRemote(path: string, place: SourceLocation | undefined): void {
  if (!isRemote(path)) return
  const message = `"${path}" is on another machine: remote files are not loaded`
  const advice = 'put a copy beside the Compose file and name that'
  throw place === undefined ? fileFailure(path, message, advice) : failure(place, message, advice)
}
