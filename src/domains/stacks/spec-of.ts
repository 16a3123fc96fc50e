/** Specs out of values: what render made, or what a label says it made. */
import type { Service } from '#formats/compose/schema/file.ts'
import { isRecord } from '#model/json.ts'
import { isLater, isSealed, type Value } from '#model/value.ts'
import type { BuildDefinition, BuildSpec, NetworkSpec, ServiceSpec, VolumeSpec } from './spec.ts'

export function serviceSpecOf(value: Value): ServiceSpec {
  return checked(value, isWholeService)
}

export function networkSpecOf(value: Value): NetworkSpec {
  return checked(value, isNetworkSpec)
}

export function volumeSpecOf(value: Value): VolumeSpec {
  return checked(value, isVolumeSpec)
}

/** A build as it is carried out: the texts that held a secret were opened. */
export type OpenedBuild = Omit<BuildSpec, 'definition'> & { readonly definition: BuildDefinition }

export function openedBuildOf(value: Value): OpenedBuild {
  return checked<OpenedBuild & Value>(value, isOpenedBuild)
}

/** A command in a container, as it is carried out. */
type OpenedHook = NonNullable<Service['post_start']>[number]

export function openedHookOf(value: Value): OpenedHook {
  return checked<OpenedHook & Value>(value, isOpenedHook)
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

function isOpenedHook(value: Value): value is OpenedHook & Value {
  return isRecord<Value>(value) && !isSealed(value) && !isLater(value)
}

function isOpenedBuild(value: Value): value is OpenedBuild & Value {
  if (!isRecord<Value>(value) || isSealed(value) || isLater(value)) return false
  return ['context', 'hash', 'definition'].every((field) => field in value)
}

function isNetworkSpec(value: Value): value is NetworkSpec {
  return has(value, 'isExternal')
}

function isVolumeSpec(value: Value): value is VolumeSpec {
  return has(value, 'isExternal')
}
