/** `login` in tend.yaml: who may come in with an account of an OpenID Connect provider. */
import * as z from 'zod/mini'
import { bad, rule } from '#formats/schema/rule.ts'
import { filled } from '#formats/schema/terms.ts'
import type { GroupRole, LoginDeclared } from '#model/login.ts'
import { msOf } from './policy.ts'
import { secretOf, type File } from './sources.ts'
import { duration } from '#kinds/duration.ts'
import { secretFrom, webAddress } from './terms.ts'

const groupRole = z
  .strictObject({
    group: filled.check(z.describe('As the provider names it; "*": everybody whom it lets in')),
    role: z.enum(['read', 'sync', 'admin']),
    apps: z.optional(
      z
        .array(filled)
        .check(
          z.minLength(1),
          z.meta({ description: 'Bound to these', examples: [['stack:shop-*']] }),
        ),
    ),
  })
  .check(
    rule(({ role, apps }) =>
      role === 'admin' && apps !== undefined
        ? bad("admin can't be bound to applications", 'choose role read or sync, or take out apps')
        : undefined,
    ),
  )

export const loginSchema = z.strictObject({
  issuer: webAddress.check(z.describe("The provider's address, as it names itself")),
  clientId: filled,
  clientSecret: z.optional(
    secretFrom.check(z.describe('Where the secret is; none: a public client')),
  ),
  address: webAddress.check(
    z.describe('Where browsers reach this service; the provider must know ADDRESS/login/callback'),
  ),
  scopes: z.optional(z.array(filled).check(z.describe('Default: openid, profile, email'))),
  groupsClaim: z.optional(filled.check(z.describe("Lists a person's groups. Default: groups"))),
  session: z.optional(duration().check(z.describe('How long a login holds. Default: 8h'))),
  roles: z.array(groupRole).check(z.minLength(1), z.describe('What the groups may do')),
})

const usualSession = 8 * 3_600_000

export function loginOf(file: File, said: z.infer<typeof loginSchema>): LoginDeclared {
  const { issuer, clientId, clientSecret, address, scopes, groupsClaim, session, roles } = said
  return {
    issuer,
    clientId,
    clientSecret: clientSecret === undefined ? undefined : secretOf(file, clientSecret),
    address: address.replace(/\/$/, ''),
    scopes: [...new Set(['openid', ...(scopes ?? ['profile', 'email'])])],
    groupsClaim: groupsClaim ?? 'groups',
    duration: msOf(session) ?? usualSession,
    roles: roles.map(({ apps, ...rest }): GroupRole => ({ ...rest, ...(apps && { apps }) })),
  }
}
