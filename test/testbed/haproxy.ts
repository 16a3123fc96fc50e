/** What tests need of HAProxy: backends that say who they are, requests by host, and an end to the process. */
import { existsSync, readFileSync } from 'node:fs'
import { createServer, request as send, Agent } from 'node:http'
import { join } from 'node:path'

export type Backend = { readonly port: number; readonly close: () => Promise<void> }

/** Answers every request with its own name. */
export async function backend(name: string, port = 0): Promise<Backend> {
  const server = createServer((_request, response) => response.end(name))
  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen(port, '127.0.0.1', done)
  })
  const address = server.address()
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}

export type Answered = { readonly status: number; readonly text: string }

export function get(port: number, host: string, agent = new Agent()): Promise<Answered> {
  return new Promise((done, fail) => {
    const options = { host: '127.0.0.1', port, agent, headers: { host } }
    const call = send(options, (message) => {
      let text = ''
      message.setEncoding('utf8').on('data', (part: string) => (text += part))
      message.on('end', () => done({ status: message.statusCode ?? 0, text }))
      message.on('error', fail)
    })
    call.on('error', fail)
    call.end()
  })
}

/** The master that the fleet started in this folder, if it is still that. */
export async function endProxy(folder: string): Promise<void> {
  const file = join(folder, 'haproxy.pid')
  if (!existsSync(file)) return
  const pid = Number(readFileSync(file, 'utf8').trim().split('\n')[0])
  const command = `/proc/${pid}/cmdline`
  if (!existsSync(command) || !readFileSync(command, 'utf8').includes(folder)) return
  process.kill(pid, 'SIGTERM')
  while (existsSync(command) && readFileSync(command, 'utf8') !== '') {
    await new Promise((done) => setTimeout(done, 20))
  }
}
