/** The parts of a container that are lists of maps: mounts, secrets, devices, limits. */
import * as z from 'zod/mini'
import { bad, rule } from '#formats/schema/rule.ts'
import { absolutePath, filled, relativePath, scalars, whole } from '#formats/schema/terms.ts'
import { id, memory, name } from './terms.ts'

const idMapping = z
  .strictObject({
    containerID: id.check(z.describe('The first id inside')),
    hostID: id.check(z.describe('The first id on the host')),
    size: whole(1).check(z.describe('How many ids')),
  })
  .check(z.describe('Ids of the volume as other ids inside'))

export const volumeMount = z.strictObject({
  name: name.check(z.describe('The CuteVolume')),
  mountPath: z.optional(absolutePath.check(z.describe('Where it appears inside'))),
  containerPath: z.optional(
    absolutePath.check(z.meta({ description: 'The old name of mountPath', deprecated: true })),
  ),
  subPath: z.optional(relativePath.check(z.describe('Only this part of the volume'))),
  readOnly: z.optional(z.boolean().check(z.describe('Default: false'))),
  mountOptions: z.optional(
    z
      .strictObject({
        seLinuxLabel: z.optional(
          z
            .enum(['z', 'Z', 'shared', 'private'])
            .check(z.describe('z is shared, Z is private; relabels what is mounted')),
        ),
        uidMapping: z.optional(idMapping),
        gidMapping: z.optional(idMapping),
      })
      .check(z.describe('How it is mounted')),
  ),
})
export type VolumeMountData = z.infer<typeof volumeMount>

export const secretUse = z.strictObject({
  name: name.check(z.describe('The CuteSecret')),
  env: z.optional(z.boolean().check(z.describe('One variable for each key'))),
  path: z.optional(
    absolutePath.check(
      z.describe(
        'Where its file appears (one key), or the folder of its files (several). Without env and path: /run/secrets/NAME',
      ),
    ),
  ),
})

export const tmpfs = z
  .array(
    z.union([
      absolutePath,
      z.strictObject({
        mountPath: absolutePath.check(z.describe('Where it appears inside')),
        sizeLimit: z.optional(memory.check(z.describe('How much it may hold'))),
      }),
    ]),
  )
  .check(z.describe('Empty folders in memory: paths, or {mountPath, sizeLimit}'))

export const device = z.union([
  filled.check(
    z.meta({ description: '/dev/x, /dev/x:/dev/y or /dev/x:/dev/y:rwm', examples: ['/dev/fuse'] }),
  ),
  z.strictObject({
    hostPath: absolutePath.check(z.describe('The device of the host')),
    containerPath: z.optional(absolutePath.check(z.describe('Default: the same path'))),
    permissions: z.optional(
      z.string().check(
        z.meta({ pattern: '^[rwm]{1,3}$', description: 'Read, write, mknod; default: rwm' }),
        rule((value) =>
          /^[rwm]{1,3}$/.test(value) && new Set(value).size === value.length
            ? undefined
            : bad(`${JSON.stringify(value)} is not made of r, w and m`),
        ),
      ),
    ),
  }),
])

const limitNames = [
  'as',
  'core',
  'cpu',
  'data',
  'fsize',
  'locks',
  'memlock',
  'msgqueue',
  'nice',
  'nofile',
  'nproc',
  'rss',
  'rtprio',
  'rttime',
  'sigpending',
  'stack',
] as const

const limit = whole(-1)

export const ulimits = z
  .partialRecord(
    z.enum(limitNames),
    z.union([
      limit,
      z.strictObject({
        soft: limit.check(z.describe('What it starts with')),
        hard: limit.check(z.describe('What it may raise it to')),
      }),
    ]),
  )
  .check(z.describe('A number, or {soft, hard}; -1 is unlimited'))

export const logging = z.strictObject({
  driver: z.optional(
    z
      .enum(['k8s-file', 'json-file', 'journald', 'none', 'passthrough'])
      .check(z.describe("Default: Podman's own")),
  ),
  options: z.optional(scalars.check(z.describe('Such as max-size: 10m'))),
})
