/** The part of tend.yaml that says when and how an application may be changed. */
import * as z from 'zod/mini'
import { bad, rule } from '#formats/schema/rule.ts'
import { absolutePath, whole } from '#formats/schema/terms.ts'
import { cronOf, everComes } from './cron.ts'
import { duration, durationOf } from '#kinds/duration.ts'
import { appKey } from './terms.ts'
import { zoneOf } from './wall-time.ts'
import { defined } from '#model/defined.ts'

const ruling = z.enum(['allow', 'warn', 'deny'])

export function isSharedName(value: string): boolean {
  return (
    /^(network|volume|container)\/[a-zA-Z0-9][a-zA-Z0-9_.-]*$/.test(value) ||
    /^image\/[a-zA-Z0-9][a-zA-Z0-9_.:/@-]*$/.test(value) ||
    /^source\/\S+$/.test(value)
  )
}

const sharedName = z.string().check(
  z.meta({ examples: ['network/proxy', 'volume/certificates'] }),
  rule((value) =>
    isSharedName(value)
      ? undefined
      : bad(`${JSON.stringify(value)} names nothing`, 'such as network/proxy or volume/media'),
  ),
)

const variableName = z.string().check(
  z.meta({ examples: ['TZ', 'LOG_*'] }),
  rule((value) =>
    /^[\w.*-]+$/.test(value)
      ? undefined
      : bad(`${JSON.stringify(value)} names no variable`, 'such as TZ or LOG_*'),
  ),
)

const security = z.union([
  ruling,
  z.strictObject({
    privileged: z.optional(ruling.check(z.describe('Everything the host can do'))),
    hostNamespaces: z.optional(
      ruling.check(z.describe('network, pid, ipc, uts, user and cgroup of the host')),
    ),
    engineSocket: z.optional(
      ruling.check(z.describe('The socket of Docker or Podman: whoever has it has the host')),
    ),
    capabilities: z.optional(ruling.check(z.describe('cap_add'))),
    containedCapabilities: z.optional(
      ruling.check(
        z.describe(
          'Those of cap_add that count inside the container alone, such as NET_ADMIN. Default: as capabilities',
        ),
      ),
    ),
    devices: z.optional(ruling.check(z.describe('Devices of the host'))),
    unconfined: z.optional(
      ruling.check(z.describe('seccomp=unconfined, label=disable, cgroup_parent')),
    ),
    outsideBinds: z.optional(
      ruling.check(
        z.describe(
          'Binds of paths outside its own folder, binds inside of what a container may write, volumes in disguise',
        ),
      ),
    ),
    networkVolumes: z.optional(ruling.check(z.describe('Volumes of NFS and CIFS'))),
    volumeDrivers: z.optional(ruling.check(z.describe('Drivers of volumes other than local'))),
    networkDrivers: z.optional(
      ruling.check(z.describe('Networks other than a plain bridge: macvlan, ipvlan, plugins')),
    ),
    runtimes: z.optional(ruling.check(z.describe('Another OCI runtime, and annotations'))),
    logDrivers: z.optional(
      ruling.check(z.describe('Log drivers that send elsewhere, and plugins')),
    ),
    externalNetworks: z.optional(
      ruling.check(z.describe('Networks that are not its own, beside those in shared')),
    ),
    externalVolumes: z.optional(
      ruling.check(z.describe('Volumes that are not its own, beside those in shared')),
    ),
    externalImages: z.optional(
      ruling.check(
        z.describe('Images that another application built, and names of images that others use'),
      ),
    ),
    allowedRoots: z.optional(
      z.array(absolutePath).check(z.describe('Folders of the host whose files may be bound')),
    ),
    shared: z.optional(
      z
        .array(sharedName)
        .check(
          z.describe(
            'What of others it may use: network/NAME, volume/NAME, container/NAME, image/NAME',
          ),
        ),
    ),
    harmlessVariables: z.optional(
      z
        .array(variableName)
        .check(z.describe('Variables whose values are shown though they come from an env_file')),
    ),
    secretVariables: z.optional(
      z
        .array(variableName)
        .check(z.describe('Variables whose values are never shown, whatever they look like')),
    ),
  }),
])
export type SecurityData = z.infer<typeof security>

/** As patterns of rights are written: `label:NAME=VALUE`. */
const labelName = z
  .string()
  .check(
    rule((value) =>
      /^[A-Za-z0-9][\w./-]{0,62}$/.test(value)
        ? undefined
        : bad(
            `${JSON.stringify(value)} is not a label`,
            'use letters, digits, "-", "_", "." and "/"',
          ),
    ),
  )
const labelValue = z.string().check(z.maxLength(200))

const longestWindow = '31d'

const windowSchema = z.strictObject({
  schedule: z.string().check(
    z.meta({
      description: 'When it begins: minute hour day month weekday',
      examples: ['0 2 * * *', '0 22 * * fri'],
    }),
    rule((value) => {
      const cron = cronOf(value)
      if (typeof cron === 'string') return bad(cron, 'such as "0 2 * * *" for 02:00 every day')
      return everComes(cron)
        ? undefined
        : bad(`${JSON.stringify(value)} names a day that never comes`)
    }),
  ),
  duration: duration(60_000).check(
    z.describe('How long it lasts, at most 31d'),
    rule((value) =>
      (durationOf(value) ?? 0) > defined(durationOf(longestWindow))
        ? bad(`${JSON.stringify(value)} is too long`, `at most ${longestWindow}`)
        : undefined,
    ),
  ),
  timezone: z.optional(
    z.string().check(
      z.meta({ description: 'Default: UTC', examples: ['Europe/Berlin'] }),
      rule((value) =>
        zoneOf(value) === undefined
          ? bad(`${JSON.stringify(value)} is not a time zone`, 'such as Europe/Berlin or UTC')
          : undefined,
      ),
    ),
  ),
  action: z.optional(
    z.enum(['allow', 'deny']).check(z.describe('Default: allow. deny always has the last word')),
  ),
})
export type WindowData = z.infer<typeof windowSchema>

export const policyFields = {
  interval: z.optional(
    z
      .union([duration(1_000), z.literal(0), z.literal('off')])
      .check(z.describe('How often the source is asked; off: only when told. Default: 1m')),
  ),
  suspended: z.optional(z.boolean().check(z.describe('Left as it is until resumed'))),
  prune: z.optional(
    z
      .boolean()
      .check(z.describe('What is gone from its files is removed, never volumes. Default: true')),
  ),
  drift: z.optional(
    z
      .enum(['revert', 'flag', 'ignore'])
      .check(z.describe('What to do when what runs was changed by hand. Default: revert')),
  ),
  rollback: z.optional(
    z
      .enum(['auto', 'never'])
      .check(z.describe('Back to the last good state when a change fails. Default: auto')),
  ),
  health: z.optional(
    z
      .enum(['restart', 'rollback', 'alert'])
      .check(
        z.describe(
          'What is done for what is not well: restart it, and if that does not hold go back while on probation; rollback: go back at once; alert: only tell. Default: restart',
        ),
      ),
  ),
  probation: z.optional(
    duration(0).check(
      z.describe('How long after a change what is not well goes back. Default: 10m'),
    ),
  ),
  keepImages: z.optional(
    whole(0, 1000).check(
      z.describe('Images of so many earlier versions are kept, older ones removed. Default: all'),
    ),
  ),
  adopt: z.optional(
    z
      .enum(['matching', 'all', 'never'])
      .check(
        z.describe(
          'What docker compose started under its name: matching takes over what can stay as it is, all also what is then made anew. Default: never',
        ),
      ),
  ),
  ignore: z.optional(
    z
      .array(
        z.strictObject({
          resource: z
            .string()
            .check(
              z.regex(/^[A-Za-z]+\/\S+$/, 'a resource such as container/web-1'),
              z.describe('The resource, as plans name it: container/web-1'),
            ),
          fields: z
            .array(z.string().check(z.minLength(1)))
            .check(z.minLength(1), z.describe('Fields, as plans name them: mem_limit')),
        }),
      )
      .check(
        z.describe(
          'Fields of stacks and charts that may be changed by hand: no drift, and left as they are',
        ),
      ),
  ),
  windows: z.optional(
    z.array(windowSchema).check(z.describe('When it may be changed. Default: always')),
  ),
  dependsOn: z.optional(
    z.array(appKey).check(z.describe('Applications that must be synced first, such as stack:db')),
  ),
  timeout: z.optional(duration(1_000).check(z.describe('Until all is healthy. Default: 5m'))),
  concurrency: z.optional(
    whole(1, 256).check(z.describe('Calls to the engine at once. Default: 8')),
  ),
  labels: z.optional(
    z.record(labelName, labelValue).check(
      z.meta({
        description: 'Words of your own, to list and to bind rights by: label:team=web',
        examples: [{ team: 'web', stage: 'production' }],
      }),
    ),
  ),
  decryption: z.optional(
    z
      .strictObject({
        keyFiles: z
          .array(absolutePath)
          .check(z.minLength(1), z.describe('Files with keys of age, one key a line')),
      })
      .check(
        z.describe(
          'Opens what SOPS encrypted: files of variables, secrets and values of stacks and charts',
        ),
      ),
  ),
  security: z.optional(
    security.check(z.describe('What it may ask of its host: allow, warn or deny. Default: deny')),
  ),
}

const policySchema = z.strictObject(policyFields)
export type PolicyData = z.infer<typeof policySchema>
