/** A network of namespaces on this machine alone: processes with a wire of their own, which is pulled and put back. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type Network = {
  /** Where this process is, as those in the network see it. */
  readonly gateway: string
  join(): Promise<NetworkMember>
  close(): void
}

export type NetworkMember = {
  readonly address: string
  /** A program that runs another one in the namespace, as the same process. */
  program(launcher: string): string
  /** Nothing comes through any more, and nobody is told: as where somebody pulls the cable. */
  cut(): void
  mend(): void
}

/** It takes root, and `ip` of iproute2. */
export function hasNetworks(): boolean {
  if (process.getuid?.() !== 0) return false
  try {
    execFileSync('unshare', ['-n', 'ip', 'link', 'set', 'lo', 'up'], { stdio: 'ignore' })
    return true
  } catch {
    // this machine has no namespaces, or not the programs
    return false
  }
}

/** Longer than any suite: what a killed test leaves behind ends by itself. */
const longest = '7200'

export async function openNetwork(): Promise<Network> {
  const folder = mkdtempSync(join(tmpdir(), 'tend-network-'))
  const members: ChildProcess[] = []
  // of test files that run at the same time each has a network and names of its own
  const subnet = `10.${200 + (process.pid % 50)}.${Math.floor(process.pid / 50) % 250}`
  const own = `tend${process.pid.toString(36)}`
  const [hub, pid] = await begun()
  ip('link', 'add', own, 'type', 'veth', 'peer', 'name', 'uplink', 'netns', pid)
  ip('addr', 'add', `${subnet}.1/24`, 'dev', own)
  ip('link', 'set', own, 'up')
  within(pid, 'link', 'add', 'hub', 'type', 'bridge')
  for (const name of ['lo', 'hub', 'uplink']) within(pid, 'link', 'set', name, 'up')
  within(pid, 'link', 'set', 'uplink', 'master', 'hub')

  async function begun(): Promise<readonly [ChildProcess, string]> {
    const child = spawn('unshare', ['-n', 'sleep', longest], { stdio: 'ignore' })
    members.push(child)
    const here = readlinkSync('/proc/self/ns/net')
    for (let tries = 0; tries < 500; tries += 1) {
      if (readlinkSync(`/proc/${child.pid}/ns/net`) !== here) return [child, String(child.pid)]
      await sleep(10)
    }
    throw new Error('no namespace was made')
  }

  return {
    gateway: `${subnet}.1`,
    async join() {
      const number = members.length
      const [, inside] = await begun()
      const [address, wire] = [`${subnet}.${number + 1}`, `wire${number}`]
      within(pid, 'link', 'add', wire, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', inside)
      within(pid, 'link', 'set', wire, 'master', 'hub')
      within(pid, 'link', 'set', wire, 'up')
      within(inside, 'addr', 'add', `${address}/24`, 'dev', 'eth0')
      for (const name of ['lo', 'eth0']) within(inside, 'link', 'set', name, 'up')
      return {
        address,
        program(launcher) {
          const file = join(folder, `in-${number}`)
          writeFileSync(file, `#!/bin/sh\nexec nsenter -t ${inside} -n '${launcher}' "$@"\n`, {
            mode: 0o755,
          })
          return file
        },
        cut: () => within(pid, 'link', 'set', wire, 'nomaster'),
        mend: () => within(pid, 'link', 'set', wire, 'master', 'hub'),
      }
    },
    close() {
      for (const member of members) member.kill('SIGKILL')
      if (hub.exitCode === null) ip('link', 'del', own)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function ip(...words: readonly string[]): void {
  execFileSync('ip', words, { stdio: 'pipe' })
}

function within(pid: string, ...words: readonly string[]): void {
  execFileSync('nsenter', ['-t', pid, '-n', 'ip', ...words], { stdio: 'pipe' })
}
