/** Who holds a port of the host. */
import type { LivePort } from './live.ts'

/** An empty address, or 0.0.0.0, is all of them. */
export function overlap(one: string, other: string): boolean {
  const all = ['', '0.0.0.0', '::']
  return all.includes(one) || all.includes(other) || one === other
}

export function holds(ports: readonly LivePort[], wanted: LivePort): boolean {
  return ports.some(
    ({ hostPort, protocol, hostIP }) =>
      hostPort === wanted.hostPort &&
      protocol === wanted.protocol &&
      overlap(hostIP, wanted.hostIP),
  )
}

/** Only a plain "in use" counts: what we may not bind, or not there, the engine may. */
export async function isInUse(port: number, host: string): Promise<boolean> {
  const { createServer } = await import('node:net')
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve('code' in error && error.code === 'EADDRINUSE'))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(false)))
  })
}
