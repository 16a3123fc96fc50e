/** OpenSSH's server on loopback for the user who runs the tests, and an `ssh` that knows its key. */
import { execFileSync, spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { whereIs } from './packages.ts'
import { freePort } from './port.ts'

export type SshServer = {
  /** `user@127.0.0.1:PORT` */
  readonly place: string
  /** To be put before PATH. */
  readonly programs: string
  /** From now on the key is another one. */
  loseKey(): void
  stop(): Promise<void>
}

export async function startSsh(folder: string): Promise<SshServer> {
  const port = await freePort()
  const programs = join(folder, 'bin')
  mkdirSync(programs, { recursive: true })
  for (const name of ['host', 'user', 'stranger']) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)])
  }
  copyFileSync(join(folder, 'user.pub'), join(folder, 'allowed'))
  writeFileSync(join(folder, 'server'), serverSettings(folder, port))
  writeFileSync(join(folder, 'client'), clientSettings(folder))
  const ssh = `#!/bin/sh\nexec ${whereIs('ssh')} -F ${join(folder, 'client')} "$@"\n`
  writeFileSync(join(programs, 'ssh'), ssh, { mode: 0o755 })
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true })
  const output = openSync(join(folder, 'log'), 'a')
  const words = ['-D', '-e', '-f', join(folder, 'server')]
  const daemon = spawn(whereIs('sshd') ?? 'sshd', words, { stdio: ['ignore', output, output] })
  await answers(port, () => readFileSync(join(folder, 'log'), 'utf8'))
  async function stop(): Promise<void> {
    daemon.kill('SIGTERM')
    if (daemon.exitCode === null) await new Promise((resolve) => daemon.once('exit', resolve))
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    place: `${userInfo().username}@127.0.0.1:${port}`,
    programs,
    loseKey: () => copyFileSync(join(folder, 'stranger'), join(folder, 'user')),
    stop,
  }
}

function serverSettings(folder: string, port: number): string {
  return `ListenAddress 127.0.0.1:${port}
HostKey ${join(folder, 'host')}
AuthorizedKeysFile ${join(folder, 'allowed')}
PidFile none
UsePAM no
StrictModes no
PermitRootLogin yes
PasswordAuthentication no
KbdInteractiveAuthentication no
SetEnv PATH=${process.env['PATH']}
`
}

function clientSettings(folder: string): string {
  return `IdentityFile ${join(folder, 'user')}
IdentitiesOnly yes
StrictHostKeyChecking no
UserKnownHostsFile /dev/null
LogLevel ERROR
`
}

async function answers(port: number, log: () => string): Promise<void> {
  for (let waited = 0; waited < 10_000; waited += 25) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true))
      socket.on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
    if (isOpen) return
    await sleep(25)
  }
  throw new Error(`sshd did not start:\n${log()}`)
}
