/** tend.yaml: what an operator writes. */
import * as z from 'zod/mini'
import { anyCase, bad, rule } from '#formats/schema/rule.ts'
import { absolutePath, filled, relativePath, whole } from '#formats/schema/terms.ts'
import type { KindDeclaration } from '#model/kind-declaration.ts'
import { policyFields } from './policy-schema.ts'
import { loginSchema } from './login-schema.ts'
import { renderSchema } from './render-schema.ts'
import { remoteBaseSchema, sourceSchema } from './source-schema.ts'
import { duration } from '#kinds/duration.ts'
import { secretFrom, webAddress } from './terms.ts'

const values = z
  .record(z.string(), z.unknown())
  .check(z.describe("A chart's values; a stack's variables for ${NAME}"))
const files = z
  .array(relativePath)
  .check(z.describe('Compose files, relative to its folder. Default: the usual names'))
const profiles = z.array(filled).check(z.describe('Profiles of a stack'))

const shared = {
  source: z.optional(filled.check(z.describe('Under sources; may be left out if there is one'))),
  target: z.optional(
    filled.check(
      z.meta({
        description: 'Where it runs. Default: the engine that is found',
        examples: ['unix:///run/podman/podman.sock', 'tcp://host:2376'],
      }),
    ),
  ),
  values: z.optional(values),
  ...policyFields,
}

const appFields = {
  spec: z.optional(
    z
      .record(z.string(), z.unknown())
      .check(z.describe("Of a kustomization: the fields of a Flux Kustomization's spec")),
  ),
  namespace: z.optional(filled.check(z.describe('Of a chart or a kustomization'))),
  path: z.optional(relativePath.check(z.describe('Its folder in the source. Default: the root'))),
  files: z.optional(files),
  profiles: z.optional(profiles),
  ...shared,
}

/** With a field for the name of each kind; which of them it has, is told by who reads it. */
function appSchemaOf(kinds: readonly KindDeclaration[]) {
  const names: Readonly<Record<never, never>> = Object.fromEntries(kinds.map(nameField))
  return z.strictObject({ ...names, ...appFields })
}
export type AppData = z.infer<ReturnType<typeof appSchemaOf>>

function nameField({ kind, names }: KindDeclaration) {
  const { pattern, description } = names
  const name = z.string().check(
    z.meta({ pattern, description }),
    rule((value) => {
      const found = names.fault(value)
      return found && bad(found.message, found.suggestion)
    }),
  )
  return [kind, z.optional(name)] as const
}

const discoverSchema = z.strictObject({
  name: z.optional(filled.check(z.describe('How it is called. Default: after source and path'))),
  path: z.optional(relativePath.check(z.describe('Where it is looked. Default: the root'))),
  depth: z.optional(whole(1, 16).check(z.describe('How many levels of folders below. Default: 1'))),
  include: z.optional(
    z.array(filled).check(z.meta({ description: 'Only these folders', examples: [['shop/**']] })),
  ),
  exclude: z.optional(z.array(filled).check(z.describe('Not these folders'))),
  prefix: z.optional(filled.check(z.describe("Before each application's name"))),
  removeGone: z.optional(
    z.boolean().check(z.describe('What is gone from the source is taken down. Default: false')),
  ),
  ...shared,
})
export type DiscoverData = z.infer<typeof discoverSchema>

const hookSchema = z.strictObject({
  kind: z.enum(['github', 'gitlab', 'gitea', 'bitbucket', 'generic']),
  secret: z.optional(secretFrom.check(z.describe('What calls are signed with'))),
  source: z.optional(filled.check(z.describe('Only for pushes to this source'))),
  open: z.optional(z.boolean().check(z.describe('Works without a secret: anybody may call'))),
})
export type HookData = z.infer<typeof hookSchema>

const channelSchema = z.strictObject({
  kind: z.enum(['webhook', 'slack', 'discord', 'ntfy', 'email']),
  name: z.optional(filled.check(z.describe('How it is called. Default: its kind'))),
  url: z
    .union([filled, secretFrom])
    .check(
      z.describe(
        'The address, or where it is when it is secret. For email: smtps://host, smtp://host:587',
      ),
    ),
  secret: z.optional(
    secretFrom.check(z.describe('webhook: signs; ntfy: access token; email: password')),
  ),
  from: z.optional(filled.check(z.describe('email: who sends'))),
  to: z.optional(z.union([filled, z.array(filled)]).check(z.describe('email: who gets it'))),
  user: z.optional(filled.check(z.describe('email: who logs in'))),
})
export type ChannelData = z.infer<typeof channelSchema>

const alertsSchema = z.strictObject({
  failures: z.optional(whole(1, 1000).check(z.describe('After so many in a row. Default: 3'))),
  after: z.optional(duration(1_000).check(z.describe('Or when it lasts so long. Default: 10m'))),
  channels: z.optional(z.array(channelSchema)),
})

const commitStatusSchema = z.strictObject({
  kind: z.enum(['github', 'gitlab', 'gitea']),
  api: z.optional(
    webAddress.check(z.describe('Default: https://api.github.com, https://gitlab.com/api/v4')),
  ),
  repository: z.string().check(
    z.meta({ examples: ['owner/name'] }),
    rule((value) =>
      /^[\w.-]+(\/[\w.-]+)+$/.test(value)
        ? undefined
        : bad(`${JSON.stringify(value)} is not a repository`, 'write it as owner/name'),
    ),
  ),
  token: secretFrom.check(z.describe('Where the token is')),
})

const address = z.union([z.string(), z.number()]).check(
  z.meta({ examples: ['127.0.0.1:8080', '0.0.0.0:8080'] }),
  rule((value) =>
    listenOf(value) === undefined
      ? bad(`${JSON.stringify(value)} is not an address`, 'write it as 127.0.0.1:8080')
      : undefined,
  ),
)

/** `host:port`, `:port` for every address, or a port of loopback. */
export function listenOf(
  value: string | number,
): { readonly host: string; readonly port: number } | undefined {
  const [, bracketed, plain = '', digits] =
    /^(?:(?:\[([0-9a-fA-F:.]+)\]|([\w.-]*)):)?(\d{1,5})$/.exec(String(value)) ?? []
  if (digits === undefined || Number(digits) > 65_535) return undefined
  const isPortAlone = !String(value).includes(':')
  return {
    host: bracketed ?? (plain !== '' ? plain : isPortAlone ? '127.0.0.1' : '0.0.0.0'),
    port: Number(digits),
  }
}

const fileFields = {
  sources: z.optional(
    z.record(filled, sourceSchema).check(z.describe('Where applications come from, by name')),
  ),
  discover: z.optional(
    z.array(discoverSchema).check(z.describe('All stacks and charts below a folder')),
  ),
  defaults: z.optional(
    z.strictObject(policyFields).check(z.describe('For all applications that say nothing else')),
  ),
  concurrency: z.optional(
    whole(1, 256).check(z.describe('Applications that are changed at once. Default: 1')),
  ),
  sync: z.optional(
    z.boolean().check(z.describe('false: sources are read, nothing is changed. Default: true')),
  ),
  listen: z.optional(
    z
      .union([
        address,
        z.strictObject({
          address,
          open: z.optional(
            z.boolean().check(z.describe('Everybody may do everything without a token')),
          ),
          hosts: z.optional(
            z
              .array(filled)
              .check(z.describe('Names that an open service answers to, besides its addresses')),
          ),
        }),
      ])
      .check(z.describe('Where the API and the dashboard are. Default: 127.0.0.1:8080')),
  ),
  hooks: z.optional(z.array(hookSchema).check(z.describe('Who may say that something was pushed'))),
  alerts: z.optional(alertsSchema.check(z.describe('Who is told of what keeps failing'))),
  commitStatus: z.optional(
    z.array(commitStatusSchema).check(z.describe('Where commits are marked as synced or failed')),
  ),
  log: z.optional(
    z.strictObject({
      level: z.optional(anyCase(['debug', 'info']).check(z.describe('Default: info'))),
      format: z.optional(anyCase(['text', 'json']).check(z.describe('Default: text'))),
    }),
  ),
  remoteBases: z.optional(
    z
      .array(remoteBaseSchema)
      .check(z.describe('Where bases of kustomizations on other machines may come from')),
  ),
  render: z.optional(
    renderSchema.check(z.describe('What rendering the files of one application may cost')),
  ),
  login: z.optional(
    loginSchema.check(z.describe('People log in with an account of an OpenID Connect provider')),
  ),
  audit: z.optional(
    z
      .strictObject({
        rows: z.optional(
          whole(1000, 10_000_000).check(z.describe('How many rows are kept. Default: 100000')),
        ),
        days: z.optional(
          whole(1, 3650).check(z.describe('For how long rows are kept. Default: 365')),
        ),
        log: z.optional(
          z.boolean().check(z.describe('Each row is a line of the log too. Default: false')),
        ),
      })
      .check(z.describe('What is kept of who asked for which change')),
  ),
  hostFiles: z.optional(
    absolutePath.check(
      z.describe("Where Tend's folder of files lies for the engine, when that sees other files"),
    ),
  ),
}

export function fileSchemaOf(kinds: readonly KindDeclaration[]) {
  const apps = z.array(appSchemaOf(kinds)).check(z.describe('Applications, one by one'))
  const { sources, discover, ...others } = fileFields
  const sections: Readonly<Record<never, never>> = Object.fromEntries(kinds.flatMap(sectionField))
  return z.strictObject({ sources, apps: z.optional(apps), discover, ...sections, ...others })
}
export type FileData = z.infer<ReturnType<typeof fileSchemaOf>>

/** The list of its own that a kind has beside `apps`; which fields its entries have, the kind says. */
function sectionField({ section }: KindDeclaration) {
  if (section === undefined) return []
  const { name, description, entry } = section
  return [[name, z.optional(z.array(entry).check(z.describe(description)))] as const]
}

/** What only an operator sets, whatever the kind of application. */
export const operatorsFields: readonly string[] = [
  ...Object.keys(appFields),
  ...Object.keys(discoverSchema.shape),
  ...Object.keys(fileFields),
  'apps',
]

/** The tend.yaml beside an application in a repository: what is up to those who write there. */
export const nestedSchema = z.strictObject({
  values: z.optional(values),
  profiles: z.optional(profiles),
  files: z.optional(files),
})
export type NestedData = z.infer<typeof nestedSchema>
