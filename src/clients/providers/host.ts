/** What the host has to spare: ports that nobody listens on, subnets that none of its interfaces is in. */
import { createServer, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { numberOf, overlap, subnetOf } from '#model/subnet.ts'
import type { HostChecks } from '#model/clusters.ts'

export const host: HostChecks = { isPortFree, isSubnetFree }

export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '0.0.0.0', exclusive: true }, () => {
      server.close(() => resolve(true))
    })
  })
}

export function isSubnetFree(subnet: string): boolean {
  const range = subnetOf(subnet)
  if (range === undefined) return true
  const own = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return !own.some(({ family, address }) => {
    const at = family === 'IPv4' ? numberOf(address) : undefined
    return at !== undefined && overlap({ first: at, last: at }, range)
  })
}

/** Gives a port only once: a port that is free a moment after it was given would be given to two. */
export function portsFrom(
  free: (count: number) => Promise<readonly number[]> = freePorts,
): (count: number) => Promise<readonly number[]> {
  const given = new Set<number>()
  return async (count) => {
    for (;;) {
      const ports = await free(count)
      if (ports.some((port) => given.has(port))) continue
      for (const port of ports) given.add(port)
      return ports
    }
  }
}

/** Ports that were free a moment ago, all different. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listening))
  const ports = servers.map((server) => {
    const address = server.address()
    return typeof address === 'object' ? (address?.port ?? 0) : 0
  })
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

function listening(): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ port: 0, host: '0.0.0.0', exclusive: true }, () => resolve(server))
  })
}
