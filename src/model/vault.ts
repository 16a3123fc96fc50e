/** Keeps the secrets of one render apart from the specs, which hold only their ids. */
import { createHmac } from 'node:crypto'
import type { Sealed } from './value.ts'

export type Vault = {
  open(secret: Sealed): Uint8Array
  /** `salt:hash`. Without a salt, one that follows from the vault's key and the secret's id. */
  digest(secret: Sealed, salt?: string): string
  /** Everything in the vault, for the store to encrypt. */
  contents(): ReadonlyMap<string, Uint8Array>
}

export function vaultOf(contents: ReadonlyMap<string, Uint8Array>, key: Uint8Array): Vault {
  function open(secret: Sealed): Uint8Array {
    const found = contents.get(secret.sealed)
    if (found === undefined) throw new TypeError(`no such secret: ${secret.sealed}`)
    return found
  }
  function digest(secret: Sealed, salt?: string): string {
    const used = salt ?? createHmac('sha256', key).update(secret.sealed).digest('hex').slice(0, 16)
    return digestOf(open(secret), used)
  }
  return { open, digest, contents: () => contents }
}

/** The digest that a vault would give for a content that is in none. */
export function digestOf(content: Uint8Array | string, salt: string): string {
  return `${salt}:${createHmac('sha256', salt).update(content).digest('hex')}`
}

/** The salt of a recorded digest, so that a lost key makes nothing look changed. */
export function saltOf(digest: string): string {
  return digest.slice(0, digest.indexOf(':'))
}
