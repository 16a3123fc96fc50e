/** What fleet.yaml may say: programs, images, and what clusters are registered with. Everything in it is optional. */
import { dirname, isAbsolute, join } from 'node:path'
import * as z from 'zod/mini'
import { examine, pathText } from '#formats/schema/examine.ts'
import { readYaml } from '#formats/yaml/read-yaml.ts'
import { isRecord } from '#model/json.ts'
import type { ProblemFacts } from '#model/problem.ts'

const secret = z.union([
  z.strictObject({ file: z.string().check(z.meta({ examples: ['portainer.key'] })) }),
  z.strictObject({ variable: z.string().check(z.meta({ examples: ['PORTAINER_KEY'] })) }),
])
const program = {
  program: z.optional(z.string()),
  image: z.optional(z.string()),
  listen: z.optional(z.string()),
  config: z.optional(z.record(z.string(), z.unknown())),
}
const whole = z.number().check(z.int(), z.minimum(0), z.maximum(50))
const address = z
  .string()
  .check(z.regex(/^(\d{1,3}(\.\d{1,3}){3}|\[?[0-9a-fA-F:]+\]?)$/, 'use an IP address: 0.0.0.0'))
const label = 'use small letters, digits and dashes, with a letter or digit at both ends'
const domain = 'use a domain in small letters: 192.168.51.30.sslip.io'
// nothing can be kept there, and the attempt to make folders below it never ends
const folder = z
  .string()
  .check(z.regex(/^(?!\/proc(\/|$))/, 'nothing can be kept in /proc: use a folder of a disk'))
export const settingsSchema = z.strictObject({
  name: z.optional(z.string().check(z.regex(/^[a-z0-9]([a-z0-9-]{0,40}[a-z0-9])?$/, label))),
  baseDomain: z.optional(z.string().check(z.regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, domain))),
  namespace: z.optional(z.string().check(z.regex(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/, label))),
  folder: z.optional(folder),
  providers: z.optional(
    z.strictObject({
      kind: z.optional(
        z.strictObject({
          ...program,
          engine: z.optional(z.string()),
          network: z.optional(z.string()),
          apiAddress: z.optional(address),
        }),
      ),
      k3d: z.optional(
        z.strictObject({
          ...program,
          engine: z.optional(z.string()),
          network: z.optional(z.string()),
          apiAddress: z.optional(address),
        }),
      ),
      kwok: z.optional(
        z.strictObject({
          ...program,
          folder: z.optional(folder),
          components: z.optional(z.array(z.string())),
        }),
      ),
    }),
  ),
  networks: z.optional(
    z.array(
      z.strictObject({
        name: z.string(),
        subnet: z.optional(z.string()),
        gateway: z.optional(address),
      }),
    ),
  ),
  haproxy: z.optional(
    z.strictObject({
      program: z.optional(z.string()),
      folder: z.optional(folder),
      http: z.optional(z.string()),
      https: z.optional(z.string()),
      address: z.optional(z.string()),
    }),
  ),
  portainer: z.optional(
    z.strictObject({
      url: z.string(),
      key: z.optional(secret),
      user: z.optional(z.string()),
      password: z.optional(secret),
      edgeUrl: z.optional(z.string()),
      group: z.optional(z.number()),
      ca: z.optional(z.string()),
      agent: z.optional(
        z.strictObject({ image: z.optional(z.string()), insecure: z.optional(z.boolean()) }),
      ),
    }),
  ),
  argocd: z.optional(
    z.strictObject({
      kubeconfig: z.string(),
      context: z.optional(z.string()),
      namespace: z.optional(z.string()),
      host: z.optional(z.string()),
      applicationSet: z.optional(
        z.strictObject({
          name: z.optional(z.string().check(z.regex(/^[a-z0-9]([a-z0-9-]{0,40}[a-z0-9])?$/))),
          repository: z.optional(z.string()),
          path: z.optional(z.string()),
          project: z.optional(z.string()),
          namespace: z.optional(z.string()),
          parameters: z.optional(z.record(z.string(), z.string())),
        }),
      ),
    }),
  ),
  git: z.optional(
    z.strictObject({
      url: z.string(),
      base: z.optional(z.string()),
      user: z.optional(z.string()),
      token: z.optional(secret),
      protected: z.optional(z.array(z.string())),
    }),
  ),
  clusters: z.optional(
    z.record(
      z.string(),
      z.strictObject({
        image: z.optional(z.string()),
        version: z.optional(z.string()),
        apiAddress: z.optional(address),
        servers: z.optional(whole),
        agents: z.optional(whole),
        config: z.optional(z.record(z.string(), z.unknown())),
        kubeconfig: z.optional(z.string()),
        address: z.optional(z.string()),
      }),
    ),
  ),
})

export type FleetSettings = z.infer<typeof settingsSchema>

export type SecretPlace = z.infer<typeof secret>

type ReadSettings = {
  readonly settings: FleetSettings
  readonly problems: readonly ProblemFacts[]
}

/** All problems at once, at their places: nothing is touched with settings that are half understood. */
export function settingsIn(text: string, file: string): ReadSettings {
  const { documents, errors } = readYaml(text)
  const problems: ProblemFacts[] = errors.map(({ message, line, column }) => {
    return { type: 'configuration', code: 'yaml_error', message, at: { file, line, column } }
  })
  const [document] = documents
  if (document === undefined || document.value === null) return { settings: {}, problems }
  const { data, faults } = examine(settingsSchema, placed(document.value, dirname(file)))
  for (const { path, message, suggestion, on } of faults) {
    const { line, column } = on === 'key' ? document.keyAt(path) : document.valueAt(path)
    const at = { file, line, column }
    const where = pathText(path)
    problems.push({
      type: 'configuration',
      code: 'declaration_error',
      message: where === '' ? message : `${where}: ${message}`,
      at,
      suggestion,
    })
  }
  return { settings: data ?? {}, problems }
}

const paths = new Set(['folder', 'kubeconfig', 'ca', 'file'])

/** Paths count from where the file is, wherever somebody types the command; a program without a slash is one on the PATH. */
function placed(value: unknown, folder: string): unknown {
  if (!isRecord<unknown>(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (key === 'config') return [key, item]
      if (typeof item !== 'string') return [key, placed(item, folder)]
      const isPath = paths.has(key) || (key === 'program' && item.includes('/'))
      return [key, isPath && !isAbsolute(item) ? join(folder, item) : item]
    }),
  )
}
