/** Specs out of values: what render made, or what a label says it made. */
import { isRecord } from '#model/json.ts'
import { isLater, isSealed, type Value } from '#model/value.ts'
import type { ContainerSpec, NetworkSpec, PodSpec, SecretSpec, VolumeSpec } from './spec.ts'

export function containerSpecOf(value: Value): ContainerSpec {
  return checked(value, isContainerSpec)
}

export function networkSpecOf(value: Value): NetworkSpec {
  return checked(value, isNetworkSpec)
}

export function volumeSpecOf(value: Value): VolumeSpec {
  return checked(value, isVolumeSpec)
}

export function secretSpecOf(value: Value): SecretSpec {
  return checked(value, isSecretSpec)
}

export function podSpecOf(value: Value): PodSpec {
  return checked(value, isPodSpec)
}

/** What a container is made from once everything it needs exists. */
export type SettledContainer = Omit<ContainerSpec, 'pod' | 'secretEnv' | 'secretFiles'> & {
  readonly pod?: string
  readonly secretEnv: Readonly<Record<string, string>>
  readonly secretFiles: readonly { readonly object: string; readonly target: string }[]
}

export function settledContainerOf(value: Value): SettledContainer {
  return checked(value, isSettledContainer)
}

/** The fields of a record; none of anything else. */
export function fieldsOf(value: Value | undefined): { readonly [key: string]: Value } {
  return isRecord<Value>(value) && !isSealed(value) && !isLater(value) ? value : {}
}

function checked<Spec extends Value>(value: Value, is: (value: Value) => value is Spec): Spec {
  if (is(value)) return value
  throw new TypeError('a spec of another kind')
}

function has(value: Value, ...fields: readonly string[]): boolean {
  return isRecord<Value>(value) && 'object' in value && fields.every((field) => field in value)
}

export function isContainerSpec(value: Value): value is ContainerSpec {
  return has(
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
  return has(value, 'driver')
}

function isVolumeSpec(value: Value): value is VolumeSpec {
  return has(value, 'from')
}

export function isSecretSpec(value: Value): value is SecretSpec {
  return has(value, 'keys')
}

function isPodSpec(value: Value): value is PodSpec {
  return has(value, 'ports', 'networks')
}
