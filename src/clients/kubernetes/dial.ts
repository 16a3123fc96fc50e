/** Reaches a cluster's server: bare or with TLS, straight or through the proxy that the kubeconfig names. */
import type { Socket } from 'node:net'
import type { Certificate, ClusterAccess } from './cluster-access.ts'

/** Importing these would cost every start of the program; a cluster is not always asked. */
export const builtin: typeof process.getBuiltinModule = (name: string) =>
  process.getBuiltinModule(name)

type Protocol = 'h2' | 'http/1.1'

/** `line` is a connection that is there already, such as one through a proxy. */
export function dial(
  access: ClusterAccess,
  certificate: Certificate | undefined,
  protocols: readonly Protocol[],
  line?: Socket,
): Socket {
  const net = builtin('node:net')
  const { host, port, isSecret } = placeIn(access.server)
  if (!isSecret) return line ?? net.connect({ host, port, noDelay: true })
  const socket = builtin('node:tls').connect({
    ...(line === undefined ? { host, port } : { socket: line }),
    ALPNProtocols: [...protocols],
    rejectUnauthorized: access.isVerified,
    servername: access.serverName ?? (net.isIP(host) === 0 ? host : ''),
    ...(access.ca === undefined ? {} : { ca: access.ca }),
    ...certificate,
    ...checkedName(access, host),
  })
  socket.setNoDelay(true)
  return socket
}

export function placeIn(url: string) {
  const { hostname, port, protocol } = new URL(url)
  const isSecret = protocol === 'https:'
  const host = hostname.replace(/^\[|\]$/g, '')
  return { host, port: Number(port) || (isSecret ? 443 : 80), isSecret }
}

/** Node checks the certificate against the host that is dialled. Another name, or one behind a proxy, has to be given. */
function checkedName({ serverName }: ClusterAccess, host: string) {
  const { checkServerIdentity } = builtin('node:tls')
  return {
    checkServerIdentity: (_host: string, peer: Parameters<typeof checkServerIdentity>[1]) =>
      checkServerIdentity(serverName ?? host, peer),
  }
}

/** Opens a connection to the server through a proxy. */
export function tunnel(proxy: string, server: string, limit: number): Promise<Socket> {
  const url = new URL(proxy)
  const far = placeIn(server)
  const { host, port, isSecret } = placeIn(proxy)
  const target = `${far.host.includes(':') ? `[${far.host}]` : far.host}:${far.port}`
  return new Promise((resolve, reject) => {
    const socket = isSecret
      ? builtin('node:tls').connect({ host, port, servername: host })
      : builtin('node:net').connect({ host, port, noDelay: true })
    const fail = (why: string) => {
      socket.destroy()
      reject(Object.assign(new Error(`the proxy ${url.host} ${why}`), { code: 'ECONNREFUSED' }))
    }
    socket.setTimeout(limit, () => fail(`did not answer in ${limit / 1000} s`))
    socket.once('error', (error) => fail(`can't be used: ${error.message}`))
    socket.once('close', () => fail('closed the line'))
    socket.once(isSecret ? 'secureConnect' : 'connect', () => {
      const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
      const proof = `Proxy-Authorization: Basic ${Buffer.from(pair).toString('base64')}\r\n`
      const head = `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n`
      socket.write(`${head}${url.username === '' ? '' : proof}\r\n`)
    })
    let text = ''
    socket.on('data', function read(part: Buffer) {
      text += part.toString('latin1')
      if (!text.includes('\r\n\r\n')) return
      socket.off('data', read)
      const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1])
      if (status !== 200) return fail(`refused the way to ${target}: ${text.split('\r\n')[0]}`)
      socket.setTimeout(0)
      for (const name of ['error', 'close', 'timeout']) socket.removeAllListeners(name)
      socket.pause()
      resolve(socket)
    })
  })
}
