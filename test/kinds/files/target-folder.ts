/** The folder in which files are kept: each with a record beside it that tells whose it is and what it was made from. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { canonical, isRecord, type Json } from '#model/json.ts'

export type FileRecord = {
  readonly owner: string
  readonly spec: Json
  readonly needs: Json
}

const records = '.records'

export function readRecords(folder: string): ReadonlyMap<string, FileRecord> {
  const found = new Map<string, FileRecord>()
  const place = join(folder, records)
  for (const file of existsSync(place) ? readdirSync(place) : []) {
    if (!file.endsWith('.json')) continue
    const record: Json = JSON.parse(readFileSync(join(place, file), 'utf8'))
    if (!isRecord<Json>(record)) continue
    const { owner, spec, needs } = record
    if (typeof owner !== 'string') continue
    found.set(file.slice(0, -'.json'.length), { owner, spec: spec ?? null, needs: needs ?? null })
  }
  return found
}

export function readFile(folder: string, name: string): string | undefined {
  const path = join(folder, name)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

/** The record first: what is there without one is a stranger's. */
export function writeRecord(folder: string, name: string, record: FileRecord): void {
  mkdirSync(join(folder, records), { recursive: true })
  writeWhole(join(folder, records, `${name}.json`), canonical({ ...record }))
}

export function writeFile(folder: string, name: string, content: Uint8Array | string): void {
  mkdirSync(folder, { recursive: true })
  writeWhole(join(folder, name), content)
}

export function removeFile(folder: string, name: string): void {
  rmSync(join(folder, name), { force: true })
  rmSync(join(folder, records, `${name}.json`), { force: true })
}

function writeWhole(path: string, content: Uint8Array | string): void {
  writeFileSync(`${path}.new`, content, { mode: 0o600 })
  renameSync(`${path}.new`, path)
}
