/** What a row of the clusters table may say: names, ports, subnets, and what no two rows may share. */
import { providers, type ClusterRow, type Provider } from '#model/clusters.ts'
import { overlap, subnetOf } from '#model/subnet.ts'
import { defined } from '#model/defined.ts'

/** What is at fault, and what to write instead. */
export type Fault = {
  readonly column: string
  readonly message: string
  readonly suggestion: string
}

/** All that is wrong with the row by itself. */
export function faultsOf(row: ClusterRow): readonly Fault[] {
  return [...nameFaults(row), ...providerFaults(row), ...desiredFaults(row), ...placeFaults(row)]
}

export function isProvider(text: string): text is Provider {
  return providers.some((one) => one === text)
}

/** Whether this can be the name of a cluster, and so part of a path or of a command. */
export function isName(name: string): boolean {
  return nameRule.test(name) && name.length <= 63
}

const nameRule = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/

function nameFaults({ name, provider }: ClusterRow): readonly Fault[] {
  const suggestion = 'use small letters, digits and dashes, with a letter or digit at both ends'
  if (!isName(name)) {
    const message = `${JSON.stringify(name)} can't be the name of a cluster`
    return [{ column: 'name', message, suggestion: `${suggestion}, at most 63` }]
  }
  if (provider !== 'k3d' || name.length <= 32) return []
  const message = `k3d takes no name of more than 32 letters, and ${name} has ${name.length}`
  return [{ column: 'name', message, suggestion: 'use a shorter name' }]
}

function providerFaults({ provider }: ClusterRow): readonly Fault[] {
  if (isProvider(provider)) return []
  const message = `the provider ${JSON.stringify(provider)} is not known`
  return [{ column: 'provider', message, suggestion: `use one of ${providers.join(', ')}` }]
}

function desiredFaults({ desired }: ClusterRow): readonly Fault[] {
  if (desired === 'present' || desired === 'absent') return []
  const message = `desired_state is ${JSON.stringify(desired)}`
  return [{ column: 'desired_state', message, suggestion: 'write present or absent' }]
}

function placeFaults(row: ClusterRow): readonly Fault[] {
  const faults: Fault[] = []
  const { nodePort, subnet } = row
  if (nodePort !== null && !isWithin(nodePort, 30_000, 32_767)) {
    const message = `node_port ${nodePort} is no port for services of a cluster`
    faults.push({ column: 'node_port', message, suggestion: 'use one from 30000 to 32767' })
  }
  for (const [column, port] of hostPortsOf(row)) {
    if (isWithin(port, 1, 65_535)) continue
    const message = `${column} ${port} is no port`
    faults.push({ column, message, suggestion: 'use one from 1 to 65535' })
  }
  if (subnet !== null && subnetOf(subnet) === undefined) {
    const message = `${JSON.stringify(subnet)} is no subnet`
    faults.push({ column: 'subnet', message, suggestion: 'write it like 10.101.0.0/16' })
  }
  return faults
}

function isWithin(port: number, first: number, last: number): boolean {
  return Number.isInteger(port) && port >= first && port <= last
}

/** Ports of the host that a row asks for; node_port is one of the cluster's own. */
export function hostPortsOf(row: ClusterRow): readonly (readonly [string, number])[] {
  const all = [
    ['http_port', row.httpPort],
    ['https_port', row.httpsPort],
    ['pf_port', row.pfPort],
  ] as const
  return all.flatMap(([column, port]) => (port === null ? [] : [[column, port] as const]))
}

/** What rows take from each other, by name: all who share it are at fault. */
export function clashesOf(rows: readonly ClusterRow[]): ReadonlyMap<string, readonly Fault[]> {
  const faults = new Map<string, Fault[]>()
  function blame(name: string, fault: Fault): void {
    faults.set(name, [...(faults.get(name) ?? []), fault])
  }
  const holders = new Map<number, { readonly name: string; readonly column: string }>()
  for (const row of rows) {
    for (const [column, port] of hostPortsOf(row)) {
      const holder = holders.get(port)
      if (holder === undefined) {
        holders.set(port, { name: row.name, column })
        continue
      }
      blame(row.name, taken(column, port, holder.name, holder.column))
      if (holder.name !== row.name) blame(holder.name, taken(holder.column, port, row.name, column))
    }
  }
  const placed = rows.flatMap(({ name, subnet }) => {
    if (subnet === null) return []
    const range = subnetOf(subnet)
    return range === undefined ? [] : [{ name, subnet, range }]
  })
  const inOrder = placed.toSorted((one, other) => one.range.first - other.range.first)
  let widest = inOrder[0]
  for (const one of inOrder.slice(1)) {
    if (overlap(defined(widest).range, one.range)) {
      blame(defined(widest).name, shared(defined(widest).subnet, one.name, one.subnet))
      blame(one.name, shared(one.subnet, defined(widest).name, defined(widest).subnet))
    }
    if (one.range.last > defined(widest).range.last) widest = one
  }
  return faults
}

function taken(column: string, port: number, other: string, otherColumn: string): Fault {
  const message = `${column} ${port} is also ${otherColumn} of ${other}`
  return { column, message, suggestion: 'give one of the two rows another port' }
}

function shared(subnet: string, other: string, otherSubnet: string): Fault {
  const message = `subnet ${subnet} overlaps with ${otherSubnet} of ${other}`
  return { column: 'subnet', message, suggestion: 'give one of the two rows another subnet' }
}
