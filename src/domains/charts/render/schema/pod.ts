/** CutePod: containers that share ports, networks and a host name. */
import * as z from 'zod/mini'
import { anyCase } from '#formats/schema/rule.ts'
import { extraHosts, hostName, name, port, sysctl } from './terms.ts'

const memberName = name.check(z.describe('The CuteContainer'))
const member = z.union([memberName, z.strictObject({ name: memberName })])

export const podSchema = z.strictObject({
  containers: z
    .array(member)
    .check(z.meta({ minItems: 1, description: 'Names of CuteContainers, or {name}' })),
  initContainers: z.optional(
    z
      .array(
        z.union([
          memberName,
          z.strictObject({
            name: memberName,
            type: z.optional(z.enum(['once', 'always']).check(z.describe('Default: always'))),
          }),
        ]),
      )
      .check(
        z.describe(
          'CuteContainers that run to their end, in order, before the others. Default type: always (at every start of the pod)',
        ),
      ),
  ),
  restartPolicy: z.optional(
    anyCase(['Always', 'OnFailure', 'Never', 'on-failure', 'no', 'unless-stopped']).check(
      z.describe('Of members that have none of their own; default: Always'),
    ),
  ),
  ports: z.optional(z.array(port).check(z.describe('Beside those of the members'))),
  networks: z.optional(z.array(name).check(z.describe('Beside those of the members'))),
  hostname: z.optional(
    hostName.check(z.describe('What its members take for the name of the host')),
  ),
  sysctl: z.optional(sysctl),
  extraHosts: z.optional(extraHosts),
})
export type PodData = z.infer<typeof podSchema>
