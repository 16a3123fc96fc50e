/** Specs out of values: what render made, or what a label says it made. */
import { isRecord } from '#model/json.ts'
import { isLater, isSealed, type Value } from '#model/value.ts'
import type { NetworkSpec, ServiceSpec, VolumeSpec } from './spec.ts'

export function serviceSpecOf(value: Value): ServiceSpec {
  return checked(value, isWholeService)
}

export function networkSpecOf(value: Value): NetworkSpec {
  return checked(value, isNetworkSpec)
}

export function volumeSpecOf(value: Value): VolumeSpec {
  return checked(value, isVolumeSpec)
}

/** As it is recorded: without what goes on Compose's labels. */
export type RecordedService = Omit<ServiceSpec, 'about'>

export function recordedServiceOf(value: Value): RecordedService {
  return checked<RecordedService & Value>(value, isRecordedService)
}

export function isRecordedService(value: Value): value is RecordedService & Value {
  return has(value, 'image', 'service', 'networks', 'mounts', 'files', 'joins', 'volumesFrom')
}

function checked<Spec extends Value>(value: Value, is: (value: Value) => value is Spec): Spec {
  if (is(value)) return value
  throw new TypeError('a spec of another kind')
}

function has(value: Value, ...fields: readonly string[]): boolean {
  if (!isRecord<Value>(value) || isSealed(value) || isLater(value)) return false
  return 'object' in value && fields.every((field) => field in value)
}

function isWholeService(value: Value): value is ServiceSpec {
  return isRecordedService(value) && 'about' in value
}

function isNetworkSpec(value: Value): value is NetworkSpec {
  return has(value, 'isExternal')
}

function isVolumeSpec(value: Value): value is VolumeSpec {
  return has(value, 'isExternal')
}
