/** How a container is asked whether it is well. */
import * as z from 'zod/mini'
import { bad, rule } from '#formats/schema/rule.ts'
import { whole } from '#formats/schema/terms.ts'

const seconds = whole(1)

export const health = z.strictObject({
  type: z
    .enum(['exec', 'http', 'tcp'])
    .check(
      z.describe(
        'exec runs a command inside; http asks a port from inside, tcp looks whether it is open',
      ),
    ),
  command: z.optional(z.array(z.string()).check(z.describe('For exec; 0 is well'))),
  httpGet: z.optional(
    z
      .strictObject({
        path: z.optional(
          z.string().check(
            z.meta({ pattern: '^/', description: 'Default: /' }),
            rule((value) =>
              /^\/[\x21-\x7e]*$/.test(value)
                ? undefined
                : bad(`${JSON.stringify(value)} is not the path of an address`, 'begin it with /'),
            ),
          ),
        ),
        port: whole(1, 65_535).check(z.describe('The port inside')),
      })
      .check(z.describe('For http; an answer of 2xx is well')),
  ),
  tcpSocket: z.optional(
    z
      .strictObject({ port: whole(1, 65_535).check(z.describe('The port inside')) })
      .check(z.describe('For tcp; an open port is well')),
  ),
  intervalSeconds: z.optional(seconds.check(z.describe('Default: 30'))),
  timeoutSeconds: z.optional(seconds.check(z.describe('Default: 30'))),
  startPeriodSeconds: z.optional(
    whole(0).check(z.describe('How long failures do not count; default: 0')),
  ),
  retries: z.optional(
    whole(1).check(z.describe('Failures in a row until it is not well; default: 3')),
  ),
})
export type HealthData = z.infer<typeof health>
