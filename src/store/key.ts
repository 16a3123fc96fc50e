/** The key of the instance, with which secrets are encrypted and templates are seeded. It is in a file of its own, apart from the database. */
import { createHmac, randomBytes } from 'node:crypto'
import { chmodSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { Problem } from '#model/problem.ts'

const length = 32

/** Reads the key of a home, or makes it. Several processes that make it at once all get the same key. */
export function homeKey(file: string): { readonly key: Uint8Array; readonly isNew: boolean } {
  const found = keyIn(file)
  if (found !== undefined) {
    if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
    return { key: found, isNew: false }
  }
  const isNew = made(file)
  return { key: givenKey(file), isNew }
}

/** A key that the operator gives is never made: a missing mount must not look like a new key. */
export function givenKey(file: string): Uint8Array {
  const found = keyIn(file)
  if (found !== undefined) return found
  throw unusable(
    `there is no key in ${file}`,
    `Put it back, or make a new one: head -c ${length} /dev/urandom > ${file}`,
  )
}

/** What an application's templates draw random values from: the same as long as it is installed. */
export function seedOf(key: Uint8Array, applicationKey: string, since: number): Uint8Array {
  const text = JSON.stringify(['tend: seed of templates', applicationKey, since])
  return createHmac('sha256', key).update(text).digest()
}

/** What keeps the layers of an application's builds apart from those of others: nobody else can say it. */
export function cacheKeyOf(key: Uint8Array, applicationKey: string): string {
  const text = JSON.stringify(['tend: layers of builds', applicationKey])
  return createHmac('sha256', key).update(text).digest('hex').slice(0, 32)
}

function keyIn(file: string): Uint8Array | undefined {
  let content: Uint8Array
  try {
    content = readFileSync(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw unusable(`the key ${file} can't be read`, 'Check its mode and owner.', error)
  }
  if (content.length === length) return content
  throw unusable(
    `the key ${file} holds ${content.length} bytes, not ${length}`,
    'Put the right file back; without it the recorded secrets are lost.',
  )
}

/** Writes the key to another file and then links it into place, so that nobody reads half a key and the first one written stays. */
function made(file: string): boolean {
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(draft, randomBytes(length), { mode: 0o600, flag: 'wx', flush: true })
    linkSync(draft, file)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw unusable(`the key ${file} can't be made`, 'Check the folder’s mode and owner.', error)
  } finally {
    rmSync(draft, { force: true })
  }
}

function unusable(message: string, suggestion: string, cause?: unknown): Problem {
  return new Problem({ type: 'configuration', code: 'store_unusable', message, suggestion, cause })
}
