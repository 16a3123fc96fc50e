/** The words that several kinds share: names, paths, numbers, maps of texts. */
import { posix } from 'node:path'
import * as z from 'zod/mini'
import { addressOf } from '../addresses.ts'
import { cpuQuantity, memoryQuantity } from '../quantities.ts'
import { anyCase, bad, rule, type Fault } from './rule.ts'

/** What Podman takes for the name of a container, pod, network or volume. */
const legalName = /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/

export const name = z
  .string()
  .check(z.meta({ pattern: legalName.source, maxLength: 200 }), rule(nameFault))

export function nameFault(value: string): Fault | undefined {
  if (legalName.test(value) && value.length <= 200) return undefined
  return bad(
    `${JSON.stringify(value)} is not a name that Podman takes`,
    'use letters, digits, "-", "_" and ".", and begin with a letter or digit',
  )
}

export const filled = z.string().check(
  z.meta({ minLength: 1 }),
  rule((value) => (value.trim() === '' ? bad('is empty') : undefined)),
)

/** A text that people write as a number or a truth value too; how it is written is what counts. */
export const scalar = z.union([z.string(), z.number(), z.boolean()])

export const scalars = z.record(z.string(), scalar)

export function whole(least: number, most?: number): z.ZodMiniNumber {
  const upper = most === undefined ? {} : { maximum: most }
  const range = most === undefined ? `at least ${least}` : `from ${least} to ${most}`
  return z.number().check(
    z.meta({ type: 'integer', minimum: least, ...upper }),
    rule((value) => {
      if (!Number.isSafeInteger(value)) return bad(`${value} is not a whole number`)
      return value < least || value > (most ?? value) ? bad(`${value} is not ${range}`) : undefined
    }),
  )
}

export const id = whole(0, 4_294_967_294)

/** A place in a container or on the host: absolute, and written the way it resolves. */
export const absolutePath = z.string().check(
  z.meta({ pattern: '^/' }),
  rule((value) => {
    if (!value.startsWith('/')) {
      return bad(`${JSON.stringify(value)} is not an absolute path`, 'begin it with /')
    }
    // oxlint-disable-next-line no-control-regex -- that is what is refused
    if (/[\0-\x1f]/.test(value)) return bad('has control characters in it')
    const clean = posix.normalize(value).replace(/(.)\/$/, '$1')
    return clean === value.replace(/(.)\/$/, '$1')
      ? undefined
      : bad(`${JSON.stringify(value)} is not a plain path`, `write ${clean}`)
  }),
)

/** A place below another one, or inside the chart. */
export const relativePath = z.string().check(
  rule((value) => {
    if (value === '') return bad('is empty')
    if (value.startsWith('/')) {
      return bad(`${JSON.stringify(value)} is absolute`, 'write it relative, without the leading /')
    }
    // oxlint-disable-next-line no-control-regex -- that is what is refused
    if (/[\0-\x1f]/.test(value)) return bad('has control characters in it')
    const parts = value.replace(/\/$/, '').split('/')
    if (parts.includes('..')) return bad(`${JSON.stringify(value)} leaves its place with ".."`)
    return parts.includes('') ? bad(`${JSON.stringify(value)} has an empty part ("//")`) : undefined
  }),
)

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
