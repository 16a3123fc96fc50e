/** Says which process holds a port that is taken, as far as this user may see it. */
import { listeners } from '#clients/host/listeners.ts'
import { holderOfSocket } from '#clients/host/socket-holder.ts'
import { factsOf, Problem } from '#model/problem.ts'

export function explained(thrown: unknown, port: number): unknown {
  if (!(thrown instanceof Problem) || thrown.code !== 'port_taken') return thrown
  const cause = thrown.cause instanceof Error && 'code' in thrown.cause ? thrown.cause.code : ''
  const other = 'choose another port (--listen, PORT, or listen in tend.yaml)'
  if (cause === 'EACCES') {
    return new Problem({ ...factsOf(thrown), suggestion: `ports below 1024 are root's: ${other}` })
  }
  if (cause !== 'EADDRINUSE') return new Problem({ ...factsOf(thrown), suggestion: other })
  const held = listeners().filter((one) => one.port === port && one.protocol === 'tcp')
  const holder = holderOfSocket(new Set(held.map(({ inode }) => inode)))
  const who = holder === undefined ? 'another program' : `${holder.name} (pid ${holder.pid})`
  return new Problem({
    ...factsOf(thrown),
    message: `port ${port} is taken by ${who}`,
    suggestion: `end it, or ${other}`,
  })
}
