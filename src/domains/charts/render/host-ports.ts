/** Two resources on one port of the host: only one of them could ever start. */
import { placeText, type ProblemFacts } from '#model/problem.ts'
import type { ChartContext } from './chart-context.ts'
import type { Declaration } from './declaration.ts'
import { isOnOneHostPort, portsOf } from './network-parts.ts'
import type { PortSpec } from '../spec.ts'

type Taken = {
  readonly by: Declaration<'container'> | Declaration<'pod'>
  readonly index: number
  readonly port: PortSpec
}

export function hostPortProblems(context: ChartContext): readonly ProblemFacts[] {
  const taken = new Map<string, Taken[]>()
  const problems: ProblemFacts[] = []
  for (const by of [...context.declared.pod.values(), ...context.declared.container.values()]) {
    for (const [index, port] of portsOf(by, by.data.ports).entries()) {
      if (port.hostPort === 0) continue
      const key = `${port.hostPort}/${port.protocol}`
      const others = taken.get(key) ?? []
      const other = others.find((one) => one.by !== by && isOnOneHostPort(one.port, port))
      if (other !== undefined) problems.push(problemOf(other, { by, index, port }))
      taken.set(key, [...others, { by, index, port }])
    }
  }
  return problems
}

function problemOf(first: Taken, second: Taken): ProblemFacts {
  const { by, index, port } = second
  const place = placeText(first.by.placeOf(['ports', first.index, 'hostPort']))
  return {
    type: 'configuration',
    code: 'host_port_twice',
    message: `spec.ports[${index}].hostPort: ${port.hostPort}/${port.protocol} is taken by ${first.by.ref} (${place})`,
    ref: by.ref,
    at: by.placeOf(['ports', index, 'hostPort']),
    suggestion: 'give one of them another hostPort',
  }
}
