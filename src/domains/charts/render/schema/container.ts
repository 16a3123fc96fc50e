/** CuteContainer. */
import * as z from 'zod/mini'
import { anyCase, bad, rule } from '#formats/schema/rule.ts'
import { health } from './health.ts'
import { device, logging, secretUse, tmpfs, ulimits, volumeMount } from './container-parts.ts'
import { absolutePath, filled, relativePath, scalar, whole } from '#formats/schema/terms.ts'
import { cpu, extraHosts, hostName, id, memory, name, port, sysctl } from './terms.ts'
import { image } from './image.ts'

const variable = z
  .string()
  .check(
    rule((value) =>
      /^[^=\0\s]+$/.test(value)
        ? undefined
        : bad(`${JSON.stringify(value)} is not a variable's name`),
    ),
  )

const amounts = z.strictObject({
  cpu: z.optional(cpu.check(z.describe('Processors: 0.5 or 500m'))),
  memory: z.optional(memory.check(z.describe('Bytes, with a unit: 512Mi, 1G'))),
})

const dependency = z.union([
  name,
  z.strictObject({
    name: name.check(z.describe('The CuteContainer')),
    condition: z.optional(
      z.enum(['started', 'healthy', 'completed']).check(z.describe('Default: started')),
    ),
  }),
])

export const containerSchema = z.strictObject({
  image: image.check(z.describe('The image, with its tag or digest')),
  imagePullPolicy: z.optional(
    anyCase(['Always', 'IfNotPresent', 'Never', 'missing', 'newer']).check(
      z.describe('Default: IfNotPresent (the same as missing)'),
    ),
  ),
  command: z.optional(z.array(z.string()).check(z.describe("Replaces the image's entrypoint"))),
  args: z.optional(z.array(z.string()).check(z.describe("Replaces the image's command"))),
  env: z.optional(
    z
      .array(
        z.strictObject({
          name: variable.check(z.describe('The variable')),
          value: z.optional(scalar.check(z.describe('Its value, as it is written'))),
        }),
      )
      .check(z.describe('Variables; they win over those of envFile')),
  ),
  envFile: z.optional(
    relativePath.check(z.describe('A file of NAME=value lines inside the chart')),
  ),
  workingDir: z.optional(absolutePath.check(z.describe('The folder it starts in'))),
  uid: z.optional(id.check(z.describe('The user it runs as'))),
  gid: z.optional(id.check(z.describe('The group it runs as'))),
  pod: z.optional(name.check(z.describe('The CutePod it is a member of'))),
  ports: z.optional(z.array(port).check(z.describe('Ports that are published on the host'))),
  volumes: z.optional(z.array(volumeMount).check(z.describe('CuteVolumes, and where they appear'))),
  networks: z.optional(z.array(name).check(z.describe('Names of CuteNetworks'))),
  secrets: z.optional(z.array(secretUse).check(z.describe('CuteSecrets, as variables or files'))),
  sysctl: z.optional(sysctl),
  health: z.optional(health.check(z.describe('How it is asked whether it is well'))),
  securityContext: z.optional(
    z
      .strictObject({
        privileged: z.optional(z.boolean().check(z.describe('Everything the host can do'))),
        capabilities: z.optional(
          z
            .strictObject({
              add: z.optional(z.array(filled).check(z.describe('Such as NET_ADMIN'))),
              drop: z.optional(z.array(filled).check(z.describe('Such as ALL'))),
            })
            .check(z.describe('What it may do beyond, or less than, the usual')),
        ),
        runAsUser: z.optional(id.check(z.describe('The same as uid'))),
        runAsGroup: z.optional(id.check(z.describe('The same as gid'))),
        supplementalGroups: z.optional(z.array(id).check(z.describe('Further groups'))),
        readOnlyRootFilesystem: z.optional(z.boolean().check(z.describe('The same as outside'))),
      })
      .check(z.describe('What it may do, and as whom')),
  ),
  resources: z.optional(
    z
      .strictObject({
        limits: z.optional(amounts.check(z.describe('No more than this'))),
        requests: z.optional(amounts.check(z.describe('At least this, when things get tight'))),
      })
      .check(z.describe('Processors and memory')),
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
  hostname: z.optional(hostName.check(z.describe('What it takes for the name of the host'))),
  extraHosts: z.optional(extraHosts),
  ulimits: z.optional(ulimits),
  devices: z.optional(z.array(device).check(z.describe('Devices of the host'))),
  stopSignal: z.optional(
    z.union([z.string(), z.number()]).check(z.describe('What asks it to end, such as SIGINT')),
  ),
  stopTimeoutSeconds: z.optional(
    whole(0).check(z.describe('How long it may take to end before it is killed')),
  ),
  readOnlyRootFilesystem: z.optional(
    z.boolean().check(z.describe('Only mounts can be written to')),
  ),
  tmpfs: z.optional(tmpfs),
  logging: z.optional(logging.check(z.describe('Where its output goes'))),
})
export type ContainerData = z.infer<typeof containerSchema>
