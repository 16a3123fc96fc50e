/** One resource as a chart declares it: its data, where each part of it stands, and what is wrong with it. */
import type { YamlPath } from '#formats/yaml/find-node.ts'
import type { Place, ProblemFacts } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import type { ContainerData } from './schema/container.ts'
import type { ChartKind } from './schema/kinds.ts'
import type { NetworkData } from './schema/network.ts'
import type { PodData } from './schema/pod.ts'
import type { Fault } from '#formats/schema/rule.ts'
import type { SecretData } from './schema/secret.ts'
import type { VolumeData } from './schema/volume.ts'

export type DataOf = {
  readonly network: NetworkData
  readonly volume: VolumeData
  readonly secret: SecretData
  readonly pod: PodData
  readonly container: ContainerData
}

export type Declaration<Kind extends ChartKind = ChartKind> = {
  readonly ref: Ref
  readonly name: string
  /** The name in Podman. */
  readonly object: string
  readonly labels: Readonly<Record<string, string>> | undefined
  readonly origin: Place
  /** Paths in it begin below `spec`. What is at fault was left out. */
  readonly data: DataOf[Kind]
  placeOf(path: YamlPath, on?: 'key' | 'value'): Place
  /** How a number or truth value is written, where a text is wanted. */
  textOf(path: YamlPath, value: string | number | boolean): string
  /** A fault of this resource: it will be skipped. */
  report(path: YamlPath, fault: Fault, on?: 'key' | 'value'): void
  /** Something at this path, or below it, was at fault and is left out of the data. */
  isFaulty(path: YamlPath): boolean
  /** In the order of the text. */
  problems(): readonly ProblemFacts[]
}

/** All that a chart declares, by kind and name. */
export type Declarations = {
  readonly [Kind in ChartKind]: ReadonlyMap<string, Declaration<Kind>>
}
