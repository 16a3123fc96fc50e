/** The five kinds of a chart: how a manifest names them, and their schemas. */
import type * as z from 'zod/mini'
import type { kinds } from '../../spec.ts'
import { containerSchema } from './container.ts'
import { networkSchema } from './network.ts'
import { podSchema } from './pod.ts'
import { secretSchema } from './secret.ts'
import { volumeSchema } from './volume.ts'

export type ChartKind = (typeof kinds)[number]

export const schemas = {
  network: networkSchema,
  volume: volumeSchema,
  secret: secretSchema,
  pod: podSchema,
  container: containerSchema,
} as const satisfies Record<ChartKind, z.ZodMiniType>

/** How manifests spell a kind. */
export const manifestKinds = {
  network: 'CuteNetwork',
  volume: 'CuteVolume',
  secret: 'CuteSecret',
  pod: 'CutePod',
  container: 'CuteContainer',
} as const satisfies Record<ChartKind, string>
