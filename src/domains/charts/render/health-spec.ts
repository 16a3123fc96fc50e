/** From a declared health check to the command that Podman runs inside the container. */
import type { Declaration } from './declaration.ts'
import type { HealthData } from './schema/health.ts'
import type { HealthSpec } from '../spec.ts'

export function healthSpec(container: Declaration<'container'>): HealthSpec | undefined {
  const { health } = container.data
  if (health === undefined) return undefined
  const check = checkOf(container, health)
  if (check === undefined) return undefined
  return {
    ...check,
    intervalSeconds: health.intervalSeconds ?? 30,
    timeoutSeconds: health.timeoutSeconds ?? 30,
    startPeriodSeconds: health.startPeriodSeconds ?? 0,
    retries: health.retries ?? 3,
  }
}

function checkOf(
  container: Declaration<'container'>,
  health: HealthData,
): Pick<HealthSpec, 'test' | 'http'> | undefined {
  switch (health.type) {
    case 'exec':
      if (health.command === undefined || health.command.length === 0) {
        return missing(container, 'command')
      }
      return { test: ['CMD', ...health.command] }
    case 'http': {
      if (health.httpGet === undefined) return missing(container, 'httpGet')
      const { path = '/', port } = health.httpGet
      const address = quoted(`http://127.0.0.1:${port}${path}`)
      // Images have one of the two, if any.
      const ask = `if command -v wget >/dev/null; then wget -q -O /dev/null ${address}; else curl -fsS -o /dev/null ${address}; fi`
      return { test: ['CMD-SHELL', ask], http: { path, port } }
    }
    case 'tcp': {
      if (health.tcpSocket === undefined) return missing(container, 'tcpSocket')
      const { port } = health.tcpSocket
      // The kernel's own list needs no tool that knocks, and leaves no trace in anyone's log.
      const hexadecimal = port.toString(16).toUpperCase().padStart(4, '0')
      const listening = `': [0-9A-F]*:${hexadecimal} [0-9A-F]*:0000 0A '`
      const knock = `grep -qs ${listening} /proc/net/tcp /proc/net/tcp6 || { echo 'nothing listens on port ${port}'; exit 1; }`
      return { test: ['CMD-SHELL', knock] }
    }
  }
}

function missing(container: Declaration<'container'>, field: 'command' | 'httpGet' | 'tcpSocket') {
  const { type } = container.data.health ?? {}
  if (container.isFaulty(['health', field])) return undefined
  const message = `is required for type ${type}, but missing`
  container.report(['health', field], { code: 'missing_field', message }, 'key')
  return undefined
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
