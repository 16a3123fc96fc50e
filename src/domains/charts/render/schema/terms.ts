/** The words that several kinds share: names, quantities, addresses, hosts. */
import * as z from 'zod/mini'
import { addressOf } from '../addresses.ts'
import { cpuQuantity, memoryQuantity } from '../quantities.ts'
import { anyCase, bad, rule, type Fault } from '#formats/schema/rule.ts'
import { scalar, whole } from '#formats/schema/terms.ts'

const longestName = 200

/** What Podman takes for the name of a container, pod, network or volume. */
const legalName = /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/

export const name = z
  .string()
  .check(z.meta({ pattern: legalName.source, maxLength: longestName }), rule(nameFault))

export function nameFault(value: string): Fault | undefined {
  if (value.length > longestName) {
    const shown = JSON.stringify(`${value.slice(0, 20)}…`)
    return bad(`the name ${shown} has ${value.length} characters`, `use at most ${longestName}`)
  }
  if (legalName.test(value)) return undefined
  return bad(
    `${JSON.stringify(value)} is not a name that Podman takes`,
    'use letters, digits, "-", "_" and ".", and begin with a letter or digit',
  )
}

export const id = whole(0, 4_294_967_294)

export const memory = z.union([z.string(), z.number()]).check(
  z.meta({ examples: ['512Mi', '1Gi', '500M'] }),
  rule((value) => {
    const found = memoryQuantity(String(value))
    return found.isValid ? undefined : bad(`${JSON.stringify(value)} is not a quantity`, found.hint)
  }),
)

export const cpu = z.union([z.string(), z.number()]).check(
  z.meta({ examples: ['500m', '0.5', 2] }),
  rule((value) => {
    const found = cpuQuantity(String(value))
    return found.isValid ? undefined : bad(`${JSON.stringify(value)} is not a quantity`, found.hint)
  }),
)

export const address = z
  .string()
  .check(
    rule((value) =>
      addressOf(value) === undefined
        ? bad(`${JSON.stringify(value)} is not an IP address`)
        : undefined,
    ),
  )

export const sysctl = z
  .record(z.string(), scalar)
  .check(z.describe('Kernel parameters of its namespaces, such as net.core.somaxconn: 1024'))

const hostNamePattern = /^[a-zA-Z0-9]([a-zA-Z0-9.-]{0,251}[a-zA-Z0-9])?$/

export const hostName = z
  .string()
  .check(
    rule((value) =>
      hostNamePattern.test(value) ? undefined : bad(`${JSON.stringify(value)} is not a host name`),
    ),
  )

function hostAddressFault(value: string): Fault | undefined {
  if (value === 'host-gateway' || addressOf(value) !== undefined) return undefined
  return bad(`${JSON.stringify(value)} is not an IP address`, 'write one, or host-gateway')
}

/** `{ "db.example.org": "10.0.0.1" }`, or `["db.example.org:10.0.0.1"]`. */
export const extraHosts = z
  .union([
    z.record(z.string(), z.string().check(rule(hostAddressFault))),
    z.array(
      z.string().check(
        rule((value) => {
          const at = value.indexOf(':')
          if (at > 0) return hostAddressFault(value.slice(at + 1))
          return bad(`${JSON.stringify(value)} is not HOST:ADDRESS`, 'write it as db:10.0.0.1')
        }),
      ),
    ),
  ])
  .check(
    z.describe(
      'Further lines of /etc/hosts: a map of host to address, or a list of "host:address"',
    ),
  )

export const port = z.strictObject({
  containerPort: whole(1, 65_535).check(z.describe('The port inside')),
  hostPort: z.optional(
    whole(0, 65_535).check(z.describe('The port on the host; 0 or nothing: a random free one')),
  ),
  protocol: z.optional(anyCase(['TCP', 'UDP', 'SCTP']).check(z.describe('Default: TCP'))),
  hostIP: z.optional(
    address.check(z.describe('The address of the host to listen on; default: all')),
  ),
  name: z.optional(z.string().check(z.describe('For people; it has no effect'))),
})
