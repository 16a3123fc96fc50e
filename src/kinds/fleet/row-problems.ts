/** Problems with the name of a cluster: it is reserved, taken, or no row has it. */
import { reservedCluster } from '#model/clusters.ts'
import { Problem } from '#model/problem.ts'

export function refuseReserved(name: string): void {
  if (name !== reservedCluster) return
  throw new Problem({
    type: 'configuration',
    code: 'denied',
    message: `${reservedCluster} is the management cluster: a fleet never makes, removes or routes it`,
    suggestion: 'use another name',
  })
}

export function unknownCluster(name: string): Problem {
  return new Problem({
    type: 'configuration',
    code: 'not_found',
    message: `there is no row for ${name}`,
    suggestion: 'tend fleet list shows all of them',
  })
}

export function takenCluster(name: string): Problem {
  return new Problem({
    type: 'configuration',
    code: 'conflict',
    message: `there is a cluster ${name} already, and nothing of it was changed`,
    suggestion: 'use another name, or change the one that is there',
  })
}
