/** The log of the service, for its controller and for its server. */
import { logTo } from '#controller/log.ts'
import type { Log } from '#model/log.ts'
import type { Clock } from '#model/clock.ts'
import type { Declarations } from '#model/declaration.ts'
import type { Log as ServerLog } from '#server/log.ts'

export function serviceLog(
  write: (line: string) => void,
  wanted: Declarations['log'],
  clock: Clock,
): Log {
  return logTo(write, wanted, () => clock.now())
}

export function serverLog(log: Log): ServerLog {
  return (level, message, fields) => {
    const plain = Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : value,
    ])
    log(level === 'warn' ? 'warning' : level, message, Object.fromEntries(plain))
  }
}
