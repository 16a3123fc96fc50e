/** CuteVolume: a folder or file of the host, an empty folder, or a named volume. */
import * as z from 'zod/mini'
import { absolutePath, filled, scalars } from '#formats/schema/terms.ts'
import { id, memory } from './terms.ts'

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
    z
      .union([
        absolutePath.check(z.describe('A folder of the host, made if it is not there')),
        z.strictObject({
          path: absolutePath.check(z.describe('A folder, file or device of the host')),
          type: z.optional(z.enum(hostPathTypes).check(z.describe('Default: DirectoryOrCreate'))),
        }),
      ])
      .check(z.describe('A place on the host: a path, or {path, type}')),
  ),
  emptyDir: z.optional(
    z
      .strictObject({
        medium: z.optional(z.enum(['', 'Memory']).check(z.describe('Memory: kept in memory'))),
        sizeLimit: z.optional(memory.check(z.describe('How much it may hold'))),
      })
      .check(z.describe('An empty folder that lives as long as what is installed')),
  ),
  volume: z.optional(
    z
      .strictObject({
        driver: z.optional(filled.check(z.describe('Default: local'))),
        options: z.optional(scalars.check(z.describe('Options of the driver'))),
      })
      .check(z.describe('A named volume of Podman, which outlives what uses it')),
  ),
  driver: z.optional(filled.check(z.describe('Short for volume.driver; default: local'))),
  options: z.optional(scalars.check(z.describe('Short for volume.options'))),
  securityContext: z.optional(
    z
      .strictObject({
        seLinuxOptions: z.optional(
          z
            .strictObject({
              level: z.optional(
                z
                  .enum(['shared', 'private'])
                  .check(z.describe('Whether several containers may use it, or only one')),
              ),
            })
            .check(z.describe('Relabels what is mounted, where SELinux is on')),
        ),
        owner: z.optional(
          z
            .strictObject({
              user: z.optional(id.check(z.describe('As a number'))),
              group: z.optional(id.check(z.describe('As a number'))),
            })
            .check(z.describe('Who owns its root folder, as seen inside')),
        ),
      })
      .check(z.describe('Who may use it')),
  ),
})
export type VolumeData = z.infer<typeof volumeSchema>
