/** Who asks, once it is proven: every change is written down with it, and every answer is limited by it. */
import type { Role } from '../route.ts'

export type Caller = {
  /**
   * `token`: a token that was made for somebody. `local`: the command line of the user who runs the service. `hook`: a signed
   * webhook. `user`: a person who logged in. `anybody`: nobody proved anything, because the API is open or the route is.
   */
  readonly kind: 'token' | 'local' | 'hook' | 'user' | 'anybody'
  /** Of the token, the hook or the user; never a secret. */
  readonly id: string
  readonly name: string
  /** Undefined: it may do nothing but what is open to all. */
  readonly role: Role | undefined
  /** Patterns of the applications that it is bound to; absent: all. */
  readonly apps?: readonly string[] | undefined
  /** Patterns of those that it may change, where these are others than it may see. */
  readonly changes?: readonly string[] | undefined
  /** The labels of an application, where the patterns go by them. */
  readonly labelsOf?: LabelsOf
}

export type LabelsOf = (key: string) => Readonly<Record<string, string>>

export const anybody: Caller = { kind: 'anybody', id: '', name: 'anybody', role: undefined }

/** Where `open: true` says that others are kept out in another way. */
export const anybodyAsAdmin: Caller = { ...anybody, role: 'admin' }

/** A browser sends cookies by itself, and anybody proves nothing: only then a page of another site could borrow the right. */
export function isBorrowable({ kind }: Caller): boolean {
  return kind === 'anybody' || kind === 'user'
}
