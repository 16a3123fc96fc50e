/** How the verbs find the service of this machine: a note in Tend's home, and beside it a token that only this user can read. */
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord } from '#model/json.ts'
import { isGone, ownMark, type ProcessMark } from '#store/process-mark.ts'

type ServiceNote = {
  /** The address at which the service is reached from this machine. */
  readonly url: string
  readonly pid: number
  /** ms */
  readonly since: number
  readonly process: ProcessMark | undefined
}

export function noteFile(home: string): string {
  return join(home, 'service.json')
}

export function tokenFile(home: string): string {
  return join(home, 'local-token')
}

/** A service that listens on all addresses is reached at loopback too. */
export function fromHere({ host, port, url }: { host: string; port: number; url: string }): string {
  if (host === '0.0.0.0' || host === '') return `http://127.0.0.1:${port}`
  return host === '::' ? `http://[::1]:${port}` : url
}

export function writeNote(home: string, url: string, since: number, token: string): void {
  const note: ServiceNote = { url, pid: process.pid, since, process: ownMark() }
  put(tokenFile(home), `${token}\n`)
  put(noteFile(home), `${JSON.stringify(note, undefined, 2)}\n`)
}

/** Removes the note, unless another service has written it since. */
export function removeNote(home: string, token: string): void {
  if (localToken(home) !== token) return
  for (const file of [noteFile(home), tokenFile(home)]) rmSync(file, { force: true })
}

/** Undefined where there is no note, or where its writer is surely dead. */
export function readNote(home: string): ServiceNote | undefined {
  const note = noteIn(contentOf(noteFile(home)))
  if (note === undefined) return undefined
  return note.process !== undefined && isGone(note.process) ? undefined : note
}

export function localToken(home: string): string | undefined {
  return contentOf(tokenFile(home))?.trim()
}

/** Writes a file that only this user can read, and that nobody sees half written. */
function put(file: string, text: string): void {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, text, { mode: 0o600 })
  chmodSync(draft, 0o600)
  renameSync(draft, file)
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // no service left a note here
    return undefined
  }
}

function noteIn(text: string | undefined): ServiceNote | undefined {
  try {
    const found: unknown = JSON.parse(text ?? '')
    if (!isRecord(found)) return undefined
    const { url, pid, since, process: mark } = found
    if (typeof url !== 'string' || typeof pid !== 'number') return undefined
    return { url, pid, since: typeof since === 'number' ? since : 0, process: markIn(mark) }
  } catch {
    // a harmed note is none
    return undefined
  }
}

function markIn(found: unknown): ProcessMark | undefined {
  if (!isRecord(found)) return undefined
  const { machine, pid, start } = found
  if (typeof machine !== 'string' || typeof pid !== 'number' || typeof start !== 'string')
    return undefined
  return { machine, pid, start }
}
