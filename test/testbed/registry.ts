/** Debian's docker-registry on loopback behind a password, and how images get into it. */
import { spawn } from 'node:child_process'
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './port.ts'

export type Registry = {
  /** `127.0.0.1:PORT`: to be given to `startPodman` as a plain registry. */
  readonly host: string
  readonly user: string
  readonly password: string
  /** The content of an auth.json that opens it. */
  readonly authFile: string
  /** Tags the image (a name or id that Podman has) as `HOST/name` and pushes it: a tag that was there moves. */
  push(socket: string, image: string, name: string): Promise<void>
  stop(): Promise<void>
}

/** Its bcrypt line was made once for this very password: the registry takes no other kind. */
const user = 'tend'
const password = 'secret'
const line = `${user}:$2b$04$kCIKilu4cqsX1HGCUCq29OWZ6qv0rrzbIdDIGyKZQg/QFsXn0Uv3S`

export async function startRegistry(): Promise<Registry> {
  const folder = mkdtempSync(join(tmpdir(), 'tend-registry-'))
  const host = `127.0.0.1:${await freePort()}`
  writeFileSync(join(folder, 'passwords'), `${line}\n`)
  writeFileSync(join(folder, 'config.yml'), settings(folder, host))
  const output = openSync(join(folder, 'log'), 'a')
  const daemon = spawn('docker-registry', ['serve', join(folder, 'config.yml')], {
    stdio: ['ignore', output, output],
  })
  await answers(host, () => readFileSync(join(folder, 'log'), 'utf8'))
  const authorization = Buffer.from(`${user}:${password}`).toString('base64')
  const header = Buffer.from(JSON.stringify({ username: user, password })).toString('base64url')
  async function push(socket: string, image: string, name: string): Promise<void> {
    const [repository, tag] = name.split(':')
    const place = `repo=${host}/${repository}&tag=${tag ?? 'latest'}`
    await post(socket, `/images/${encodeURIComponent(image)}/tag?${place}`, {})
    const path = `/images/${encodeURIComponent(`${host}/${name}`)}/push?tlsVerify=false`
    await post(socket, path, { 'X-Registry-Auth': header })
  }
  async function stop(): Promise<void> {
    daemon.kill('SIGKILL')
    if (daemon.exitCode === null) await new Promise((resolve) => daemon.once('exit', resolve))
    rmSync(folder, { recursive: true, force: true })
  }
  const authFile = JSON.stringify({ auths: { [host]: { auth: authorization } } })
  return { host, user, password, authFile, push, stop }
}

function settings(folder: string, host: string): string {
  return `version: 0.1
log: { level: warn }
storage:
  filesystem: { rootdirectory: ${join(folder, 'data')} }
  delete: { enabled: true }
http: { addr: '${host}' }
auth:
  htpasswd: { realm: test, path: ${join(folder, 'passwords')} }
`
}

async function answers(host: string, log: () => string): Promise<void> {
  for (let waited = 0; waited < 10_000; waited += 25) {
    const answer = await fetch(`http://${host}/v2/`).catch(() => undefined)
    if (answer?.status === 401) return
    await sleep(25)
  }
  throw new Error(`docker-registry did not start:\n${log()}`)
}

function post(socketPath: string, path: string, headers: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { socketPath, method: 'POST', path: `/v4.0.0/libpod${path}`, headers }
    const call = request(options, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => (text += part))
      response.on('end', () => {
        const hasFailed = (response.statusCode ?? 500) >= 400 || text.includes('"error"')
        if (hasFailed) reject(new Error(`${path}: ${response.statusCode} ${text}`))
        else resolve()
      })
    })
    call.on('error', reject)
    call.end()
  })
}
