/** Who holds a port of the host. */
import type { LivePort } from './live-state.ts'

/** No address is all of them, 0.0.0.0 and :: are all of their kind. */
export function overlap(one: string, other: string): boolean {
  if (one === other || one === '' || other === '') return true
  const isSix = one.includes(':')
  return isSix === other.includes(':') && [one, other].includes(isSix ? '::' : '0.0.0.0')
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
