/** How people log in with an account of another service (OpenID Connect), and what their groups may do here. */
import type { SecretFrom } from './declaration.ts'

export type LoginDeclared = {
  /** The provider's address, as it names itself. */
  readonly issuer: string
  readonly clientId: string
  /** Undefined: the provider knows this client as one that has no secret. */
  readonly clientSecret: SecretFrom | undefined
  /** Where browsers reach this service: the provider sends them back there. */
  readonly address: string
  readonly scopes: readonly string[]
  /** The claim that lists a person's groups. */
  readonly groupsClaim: string
  /** How long a login holds, ms. */
  readonly duration: number
  readonly roles: readonly GroupRole[]
}

export type GroupRole = {
  /** The name of the group; `*` stands for everybody whom the provider lets in. */
  readonly group: string
  readonly role: 'read' | 'sync' | 'admin'
  /** Patterns of the applications that the role is bound to; absent: all applications. */
  readonly apps?: readonly string[]
}
