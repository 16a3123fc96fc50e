/** Reads typed specs from plain values: those of a render, and those that labels recorded. */
import { hasFields, specBy } from '#domains/containers/spec-of.ts'
import { isLater, isSealed, type Value } from '#model/value.ts'
import type { ContainerSpec, NetworkSpec, PodSpec, SecretSpec, VolumeSpec } from './spec.ts'

export { fieldsOf } from '#domains/containers/spec-of.ts'

export const containerSpecOf = specBy<ContainerSpec>(isContainerSpec)
export const networkSpecOf = specBy<NetworkSpec>(isNetworkSpec)
export const volumeSpecOf = specBy<VolumeSpec>(isVolumeSpec)
export const secretSpecOf = specBy<SecretSpec>(isSecretSpec)
export const podSpecOf = specBy<PodSpec>(isPodSpec)

/** What a container is made from once everything it needs exists. */
export type SettledContainer = Omit<ContainerSpec, 'pod' | 'secretEnv' | 'secretFiles'> & {
  readonly pod?: string
  readonly secretEnv: Readonly<Record<string, string>>
  readonly secretFiles: readonly { readonly object: string; readonly target: string }[]
}

export const settledContainerOf = specBy<SettledContainer>(isSettledContainer)

export function isContainerSpec(value: Value): value is ContainerSpec {
  return hasFields(
    value,
    'image',
    'env',
    'ports',
    'mounts',
    'networks',
    'secretEnv',
    'secretFiles',
    'restartPolicy',
  )
}

function isSettledContainer(value: Value): value is SettledContainer & Value {
  if (!isContainerSpec(value)) return false
  const names = [
    value.pod,
    ...Object.values(value.secretEnv),
    ...value.secretFiles.map((file) => file.object),
  ]
  return names.every((name) => !isLater(name) && !isSealed(name))
}

function isNetworkSpec(value: Value): value is NetworkSpec {
  return hasFields(value, 'driver')
}

function isVolumeSpec(value: Value): value is VolumeSpec {
  return hasFields(value, 'from')
}

export function isSecretSpec(value: Value): value is SecretSpec {
  return hasFields(value, 'keys')
}

function isPodSpec(value: Value): value is PodSpec {
  return hasFields(value, 'ports', 'networks')
}
