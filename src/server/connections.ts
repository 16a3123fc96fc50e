/** Decides which connection gives way when there are too many: those that never showed a right token, idle ones first. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from './access/address.ts'
import type { Limits } from './limits.ts'
import { defined } from '#model/defined.ts'

export type Connections = {
  /** A new connection is always taken; an older one may be closed for it. */
  opened(socket: Socket): void
  /** A request began on its connection; the connection is idle again when the response closes. */
  asked(request: IncomingMessage, response: ServerResponse): void
  /** Whether the last request on this connection was proven by a right token or signature. */
  proved(socket: Socket, isRight: boolean): void
  /** Closes all on which nothing is being answered, also those that never asked anything. */
  closeIdle(): void
  /** How many are open, and how many of them showed nothing right. */
  count(): { readonly all: number; readonly unproven: number }
}

type Connection = {
  readonly socket: Socket
  readonly network: string
  isProven: boolean
  /** The requests that are being answered on it. */
  readonly requests: Set<IncomingMessage>
}

export function connectionsOf(
  limits: Pick<Limits, 'connections' | 'unprovenPerAddress'>,
): Connections {
  // a Set keeps the order in which its members were added: the one that was used last is added again, so the first is the oldest
  const proven = new Set<Connection>()
  const unproven = new Set<Connection>()
  const unprovenOf = new Map<string, Set<Connection>>()
  const known = new WeakMap<Socket, Connection>()

  function add(connection: Connection): void {
    if (connection.isProven) {
      proven.add(connection)
      return
    }
    unproven.add(connection)
    const own = unprovenOf.get(connection.network) ?? new Set()
    unprovenOf.set(connection.network, own)
    own.add(connection)
  }

  function remove(connection: Connection): void {
    proven.delete(connection)
    unproven.delete(connection)
    const own = unprovenOf.get(connection.network)
    own?.delete(connection)
    if (own?.size === 0) unprovenOf.delete(connection.network)
  }

  function touch(connection: Connection): void {
    remove(connection)
    if (!connection.socket.destroyed) add(connection)
  }

  function close(connection: Connection): void {
    remove(connection)
    connection.socket.destroy()
  }

  /** Room for one more: first among those of the same address, then among all. */
  function makeRoom(network: string): void {
    const own = unprovenOf.get(network)
    if (own !== undefined && own.size >= limits.unprovenPerAddress) close(firstToGo(own))
    if (proven.size + unproven.size < limits.connections) return
    if (unproven.size > 0) return close(firstToGo(unproven))
    // only those with right tokens are left: one that is idle comes back by itself, and work is not broken off
    const idle = [...proven].find(({ requests }) => requests.size === 0)
    if (idle !== undefined) close(idle)
  }

  return {
    opened(socket) {
      const network = networkOf(socket)
      makeRoom(network)
      const connection: Connection = { socket, network, isProven: false, requests: new Set() }
      known.set(socket, connection)
      add(connection)
      socket.once('close', () => remove(connection))
    },
    asked(request, response) {
      const connection = known.get(request.socket)
      if (connection === undefined) return
      connection.requests.add(request)
      touch(connection)
      response.once('close', () => {
        connection.requests.delete(request)
        touch(connection)
      })
    },
    proved(socket, isRight) {
      const connection = known.get(socket)
      if (connection === undefined || connection.isProven === isRight) return
      remove(connection)
      connection.isProven = isRight
      if (!socket.destroyed) add(connection)
    },
    closeIdle() {
      for (const connection of [...unproven, ...proven]) {
        if (connection.requests.size === 0) close(connection)
      }
    },
    count: () => ({ all: proven.size + unproven.size, unproven: unproven.size }),
  }
}

/** The one idle for longest; then the oldest that still sends its request; then the oldest. There is at least one. */
function firstToGo(connections: ReadonlySet<Connection>): Connection {
  let sending: Connection | undefined
  let oldest: Connection | undefined
  for (const connection of connections) {
    const { requests } = connection
    if (requests.size === 0) return connection
    oldest ??= connection
    if (sending === undefined && [...requests].some(({ complete }) => !complete)) {
      sending = connection
    }
  }
  return sending ?? defined(oldest)
}
