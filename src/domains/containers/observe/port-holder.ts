/** Who holds a host port that a resource wants, when it is not this application. */
import { holds } from '../host-ports.ts'
import type { LivePort } from '../live-state.ts'
import { recordLabel, type Labels } from '../record.ts'

export type PortHolder<Port> = {
  readonly what: 'port'
  readonly port: Port
  readonly name: string
  readonly labels: Labels
}

type Listed = {
  readonly name: string
  readonly state: string
  readonly labels: Labels
  readonly ports: readonly LivePort[]
}

/** Others of this application are not told here: the plan knows whether they make room. */
export function portHolderIn<Port extends LivePort>(
  containers: readonly Listed[],
  owner: string,
  ports: readonly Port[],
): PortHolder<Port> | undefined {
  // without a number the engine chooses
  const wanted = ports.filter(({ hostPort }) => hostPort !== 0)
  if (wanted.length === 0) return undefined
  for (const { state, labels, name, ports: held } of containers) {
    if (state !== 'running' || labels[recordLabel.owner] === owner) continue
    const port = wanted.find((each) => holds(held, each))
    if (port !== undefined) return { what: 'port', port, name, labels }
  }
  return undefined
}
