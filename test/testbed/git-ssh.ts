/** OpenSSH's server on loopback that serves repositories to one key. */
import { execFileSync, spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { whereIs } from './packages.ts'
import { freePort } from './port.ts'

export type GitSsh = {
  /** `ssh://user@127.0.0.1:PORT` */
  readonly origin: string
  /** The private key that it lets in, and one that it does not. */
  readonly key: string
  readonly strangersKey: string
  readonly knownHosts: string
  /** What is known of another host under this one's name. */
  readonly otherHosts: string
  stop(): Promise<void>
}

export async function startGitSsh(folder: string): Promise<GitSsh> {
  const port = await freePort()
  mkdirSync(folder, { recursive: true })
  for (const name of ['host', 'user', 'stranger']) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)])
  }
  copyFileSync(join(folder, 'user.pub'), join(folder, 'allowed'))
  writeFileSync(join(folder, 'server'), settings(folder, port))
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true })
  const output = openSync(join(folder, 'log'), 'a')
  const words = ['-D', '-e', '-f', join(folder, 'server')]
  const daemon = spawn(whereIs('sshd') ?? 'sshd', words, { stdio: ['ignore', output, output] })
  await answers(port, join(folder, 'log'))
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
  const known = (name: string): string => {
    return `[127.0.0.1]:${port} ${read(name).split(' ').slice(0, 2).join(' ')}\n`
  }
  const files = { key: read('user'), strangersKey: read('stranger') }
  const hosts = { knownHosts: known('host.pub'), otherHosts: known('stranger.pub') }
  async function stop(): Promise<void> {
    daemon.kill('SIGTERM')
    if (daemon.exitCode === null) await new Promise((resolve) => daemon.once('exit', resolve))
    rmSync(folder, { recursive: true, force: true })
  }
  return { origin: `ssh://${userInfo().username}@127.0.0.1:${port}`, ...files, ...hosts, stop }
}

function settings(folder: string, port: number): string {
  return `ListenAddress 127.0.0.1:${port}
HostKey ${join(folder, 'host')}
AuthorizedKeysFile ${join(folder, 'allowed')}
PidFile none
UsePAM no
StrictModes no
PermitRootLogin yes
PasswordAuthentication no
KbdInteractiveAuthentication no
AcceptEnv GIT_PROTOCOL
SetEnv PATH=${process.env['PATH']}
`
}

async function answers(port: number, log: string): Promise<void> {
  for (let waited = 0; waited < 10_000; waited += 25) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true))
      socket.on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
    if (isOpen) return
    await sleep(25)
  }
  throw new Error(`sshd did not start:\n${readFileSync(log, 'utf8')}`)
}
