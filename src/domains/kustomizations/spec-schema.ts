/** The fields of a Flux Kustomization's spec (kustomize.toolkit.fluxcd.io/v1), as people write them. */
import { posix } from 'node:path'
import * as z from 'zod/mini'
import { bad, rule } from '#formats/schema/rule.ts'
import { filled } from '#formats/schema/terms.ts'

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Milliseconds; undefined when it is no duration as Kubernetes objects have them. */
export function millisecondsOf(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return undefined
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)]
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * (units[unit ?? ''] ?? 0), 0)
}

const duration = z.string().check(
  rule((value) => {
    const found = millisecondsOf(value)
    if (found === undefined) return bad('is not a duration', 'write it like 30s, 5m or 1h30m')
    return found > 0 ? undefined : bad('is no time at all', 'write it like 30s, 5m or 1h30m')
  }),
)

function optionalText(most?: number) {
  const judge = (value: string) =>
    most !== undefined && value.length > most ? bad(`has more than ${most} letters`) : undefined
  return z.optional(z.string().check(rule(judge)))
}

const texts = z.record(z.string(), z.string())
const flag = z.optional(z.boolean())
const text = z.optional(z.string())
const named = z.strictObject({ name: filled })

/** From the root of the repository, without `./`; undefined when it leaves it. */
export function folderOf(path: string): string | undefined {
  const clean = posix.normalize(`./${path}`)
  if (clean === '..' || clean.startsWith('../')) return undefined
  return clean === '.' || clean === './' ? '' : clean.replace(/\/$/, '')
}

const folder = z
  .string()
  .check(
    rule((value) =>
      folderOf(value) === undefined
        ? bad(`${JSON.stringify(value)} leaves the repository`)
        : undefined,
    ),
  )

const selector = z.strictObject({
  group: text,
  version: text,
  kind: text,
  namespace: text,
  name: text,
  labelSelector: text,
  annotationSelector: text,
})

const kubeConfig = z
  .strictObject({
    secretRef: z.optional(z.strictObject({ name: filled, key: text })),
    configMapRef: z.optional(named),
  })
  .check(
    rule(({ secretRef, configMapRef }) =>
      (secretRef === undefined) === (configMapRef === undefined)
        ? bad('needs exactly one of secretRef and configMapRef')
        : undefined,
    ),
  )

export const schema = z.strictObject({
  path: z.optional(folder),
  prune: z.boolean(),
  targetNamespace: optionalText(63),
  namePrefix: optionalText(200),
  nameSuffix: optionalText(200),
  commonMetadata: z.optional(
    z.strictObject({ labels: z.optional(texts), annotations: z.optional(texts) }),
  ),
  patches: z.optional(z.array(z.strictObject({ patch: z.string(), target: z.optional(selector) }))),
  images: z.optional(
    z.array(z.strictObject({ name: z.string(), newName: text, newTag: text, digest: text })),
  ),
  components: z.optional(z.array(z.string())),
  ignoreMissingComponents: flag,
  buildMetadata: z.optional(z.array(z.enum(['originAnnotations', 'transformerAnnotations']))),
  postBuild: z.optional(
    z.strictObject({
      substitute: z.optional(texts),
      substituteFrom: z.optional(
        z.array(
          z.strictObject({ kind: z.enum(['ConfigMap', 'Secret']), name: filled, optional: flag }),
        ),
      ),
      substituteStrategy: z.optional(z.enum(['WithVariables', 'Always'])),
    }),
  ),
  decryption: z.optional(
    z.strictObject({
      provider: z.enum(['sops']),
      secretRef: z.optional(named),
      serviceAccountName: text,
    }),
  ),
  wait: flag,
  healthChecks: z.optional(
    z.array(z.strictObject({ apiVersion: text, kind: filled, name: filled, namespace: text })),
  ),
  healthCheckExprs: z.optional(
    z.array(
      z.strictObject({
        apiVersion: filled,
        kind: text,
        current: filled,
        inProgress: text,
        failed: text,
      }),
    ),
  ),
  timeout: z.optional(duration),
  force: flag,
  ignore: z.optional(
    z.array(z.strictObject({ paths: z.array(z.string()), target: z.optional(selector) })),
  ),
  interval: duration,
  retryInterval: z.optional(duration),
  suspend: flag,
  deletionPolicy: z.optional(z.enum(['MirrorPrune', 'Delete', 'WaitForTermination', 'Orphan'])),
  serviceAccountName: text,
  kubeConfig: z.optional(kubeConfig),
  dependsOn: z.optional(
    z.array(z.strictObject({ name: filled, namespace: text, readyExpr: text })),
  ),
  sourceRef: z.strictObject({
    apiVersion: text,
    kind: z.enum(['GitRepository', 'OCIRepository', 'Bucket', 'ExternalArtifact']),
    name: filled,
    namespace: text,
  }),
})

export type WrittenSpec = z.infer<typeof schema>
