/** From a step on a resource to the calls that carry it out, and those that take it back. */
import { expandBy } from '#domains/containers/expand/expand.ts'
import { expandContainer } from './container.ts'
import { expandNetwork } from './network.ts'
import { expandVolume } from './volume.ts'

export const expand = expandBy({
  container: expandContainer,
  network: expandNetwork,
  volume: expandVolume,
})
