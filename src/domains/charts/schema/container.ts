/** CuteContainer. */
import * as z from 'zod/mini'
import { anyCase, bad, rule } from './rule.ts'
import { health } from './health.ts'
import { device, logging, secretUse, tmpfs, ulimits, volumeMount } from './container-parts.ts'
import {
  absolutePath,
  cpu,
  extraHosts,
  filled,
  hostName,
  id,
  memory,
  name,
  port,
  relativePath,
  scalar,
  sysctl,
  whole,
} from './terms.ts'

const variable = z
  .string()
  .check(
    rule((value) =>
      /^[^=\0\s]+$/.test(value)
        ? undefined
        : bad(`${JSON.stringify(value)} is not a variable's name`),
    ),
  )

const amounts = z.strictObject({ cpu: z.optional(cpu), memory: z.optional(memory) })

const dependency = z.union([
  name,
  z.strictObject({
    name,
    condition: z.optional(
      z.enum(['started', 'healthy', 'completed']).check(z.describe('Default: started')),
    ),
  }),
])

export const containerSchema = z.strictObject({
  image: filled.check(z.describe('The image, with its tag or digest')),
  imagePullPolicy: z.optional(
    anyCase(['Always', 'IfNotPresent', 'Never', 'missing', 'newer']).check(
      z.describe('Default: IfNotPresent (the same as missing)'),
    ),
  ),
  command: z.optional(z.array(z.string()).check(z.describe("Replaces the image's entrypoint"))),
  args: z.optional(z.array(z.string()).check(z.describe("Replaces the image's command"))),
  env: z.optional(z.array(z.strictObject({ name: variable, value: z.optional(scalar) }))),
  envFile: z.optional(
    relativePath.check(z.describe('A file of NAME=value lines inside the chart')),
  ),
  workingDir: z.optional(absolutePath),
  uid: z.optional(id),
  gid: z.optional(id),
  pod: z.optional(name.check(z.describe('The CutePod it is a member of'))),
  ports: z.optional(z.array(port)),
  volumes: z.optional(z.array(volumeMount)),
  networks: z.optional(z.array(name).check(z.describe('Names of CuteNetworks'))),
  secrets: z.optional(z.array(secretUse)),
  sysctl: z.optional(sysctl),
  health: z.optional(health),
  securityContext: z.optional(
    z.strictObject({
      privileged: z.optional(z.boolean()),
      capabilities: z.optional(
        z.strictObject({
          add: z.optional(z.array(filled)),
          drop: z.optional(z.array(filled)),
        }),
      ),
      runAsUser: z.optional(id.check(z.describe('The same as uid'))),
      runAsGroup: z.optional(id.check(z.describe('The same as gid'))),
      supplementalGroups: z.optional(z.array(id)),
      readOnlyRootFilesystem: z.optional(z.boolean()),
    }),
  ),
  resources: z.optional(
    z.strictObject({ limits: z.optional(amounts), requests: z.optional(amounts) }),
  ),
  restartPolicy: z.optional(
    z
      .union([
        anyCase(['no', 'on-failure', 'always', 'unless-stopped', 'OnFailure', 'Never']),
        z.literal(false),
      ])
      .check(z.describe('Default: no; in a pod: what the pod says')),
  ),
  dependsOn: z.optional(
    z
      .array(dependency)
      .check(z.describe('CuteContainers that come first: names, or {name, condition}')),
  ),
  hostname: z.optional(hostName),
  extraHosts: z.optional(extraHosts),
  ulimits: z.optional(ulimits),
  devices: z.optional(z.array(device)),
  stopSignal: z.optional(
    z.union([z.string(), z.number()]).check(z.describe('What asks it to end, such as SIGINT')),
  ),
  stopTimeoutSeconds: z.optional(
    whole(0).check(z.describe('How long it may take to end before it is killed')),
  ),
  readOnlyRootFilesystem: z.optional(z.boolean()),
  tmpfs: z.optional(tmpfs),
  logging: z.optional(logging),
})
export type ContainerData = z.infer<typeof containerSchema>
