/** CuteVolume: a folder or file of the host, an empty folder, or a named volume. */
import * as z from 'zod/mini'
import { absolutePath, filled, id, memory, scalars } from './terms.ts'

const hostPathTypes = [
  'DirectoryOrCreate',
  'Directory',
  'FileOrCreate',
  'File',
  'Socket',
  'CharDevice',
  'BlockDevice',
] as const

export const volumeSchema = z.strictObject({
  type: z.optional(
    z
      .enum(['hostPath', 'bind', 'emptyDir', 'volume'])
      .check(z.describe('Default: what the other fields say, else volume. bind is hostPath')),
  ),
  hostPath: z.optional(
    z.union([
      absolutePath.check(z.describe('A folder of the host, made if it is not there')),
      z.strictObject({
        path: absolutePath,
        type: z.optional(z.enum(hostPathTypes).check(z.describe('Default: DirectoryOrCreate'))),
      }),
    ]),
  ),
  emptyDir: z.optional(
    z.strictObject({
      medium: z.optional(z.enum(['', 'Memory']).check(z.describe('Memory: kept in memory'))),
      sizeLimit: z.optional(memory),
    }),
  ),
  volume: z.optional(z.strictObject({ driver: z.optional(filled), options: z.optional(scalars) })),
  driver: z.optional(filled.check(z.describe('Short for volume.driver; default: local'))),
  options: z.optional(scalars.check(z.describe('Short for volume.options'))),
  securityContext: z.optional(
    z.strictObject({
      seLinuxOptions: z.optional(
        z.strictObject({ level: z.optional(z.enum(['shared', 'private'])) }),
      ),
      owner: z.optional(z.strictObject({ user: z.optional(id), group: z.optional(id) })),
    }),
  ),
})
export type VolumeData = z.infer<typeof volumeSchema>
