/** A source in tend.yaml. */
import * as z from 'zod/mini'
import { bad, rule } from '#formats/schema/rule.ts'
import { filled } from '#formats/schema/terms.ts'
import { secretFrom } from './terms.ts'

const publicKeys = z.array(z.union([filled, secretFrom])).check(z.minLength(1))
const verifySchema = z.strictObject({
  gpg: z.optional(publicKeys.check(z.describe('OpenPGP keys: the armored text, or where it is'))),
  ssh: z.optional(
    publicKeys.check(
      z.meta({
        description: 'ssh keys: the line of a .pub file, or where such lines are',
        examples: [['ssh-ed25519 AAAA… alice', { file: 'signers.pub' }]],
      }),
    ),
  ),
  mode: z.optional(
    z
      .enum(['head', 'tag', 'all'])
      .check(z.describe('What must be signed: the commit, the tag, both. Default: head')),
  ),
})

export const sourceSchema = z.strictObject({
  git: z.optional(
    filled.check(
      z.meta({
        description: 'Where it is cloned from: https, ssh, or a path of this machine',
        examples: ['https://example.org/shop.git', 'git@example.org:shop.git'],
      }),
    ),
  ),
  ref: z.optional(filled.check(z.describe('With git: a branch, a tag or a commit'))),
  token: z.optional(secretFrom.check(z.describe('With https: where the token is'))),
  user: z.optional(filled.check(z.describe('Beside the token; default: x-access-token'))),
  ssh: z.optional(
    z
      .strictObject({
        key: secretFrom.check(z.describe('Where the private key is')),
        knownHosts: z.optional(secretFrom.check(z.describe('Where the keys of the host are'))),
      })
      .check(z.describe('With ssh: how to log in')),
  ),
  submodules: z.optional(z.boolean().check(z.describe('Default: false'))),
  verify: z.optional(verifySchema.check(z.describe('With git: whose signature is needed'))),
  directory: z.optional(filled.check(z.describe('Instead of git: a folder of this machine'))),
})
export type SourceData = z.infer<typeof sourceSchema>

const { token, user, ssh, verify } = sourceSchema.shape

export const remoteBaseSchema = z.strictObject({
  from: filled.check(
    z.meta({
      description: 'A host, or the beginning of a path there',
      examples: ['github.com/acme', 'git.example.org', 'git.example.org:8443/acme'],
    }),
    rule((value) =>
      /^[\w.-]+(:\d+)?(\/[\w.-]+)*\/?$/.test(value)
        ? undefined
        : bad(`${JSON.stringify(value)} is no host`, 'write it as github.com/acme'),
    ),
  ),
  token,
  user,
  ssh,
  verify,
})
