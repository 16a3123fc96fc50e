/** Starts the service of a scratch Podman, in a mount namespace that outlives it, and waits until it answers. */
import { spawn } from 'node:child_process'
import { existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from './podman-clear.ts'
import type { Layout } from './podman-layout.ts'

export async function startService(layout: Layout, isKept: boolean): Promise<void> {
  if (layout.hasNamespace) await anchor(layout)
  rmSync(layout.socket, { force: true })
  const log = join(layout.marker, 'log')
  const output = openSync(log, 'a')
  const call = ['--log-level', 'warn', 'system', 'service', '-t', '0', `unix://${layout.socket}`]
  const service = spawn(layout.command, ['--hooks-dir', join(layout.marker, 'hooks'), ...call], {
    stdio: ['ignore', output, output],
    detached: isKept,
  })
  service.unref()
  for (let waited = 0; waited < 20_000; waited += 25) {
    if (service.exitCode !== null) break
    if ((await ask(layout.socket, 'GET', '/_ping').catch(() => undefined))?.status === 200) return
    await sleep(25)
  }
  throw new Error(`podman system service did not start:\n${readFileSync(log, 'utf8')}`)
}

/**
 * Whenever it is asked about itself, Podman asks dpkg which packages four programs belong to, and dpkg reads the list of every
 * package for it: half a second of processor time each time that a Tend starts. In its namespace a program that knows nothing answers.
 */
const packageQueries = ['/usr/bin/dpkg', '/usr/bin/dpkg-query'] as const

/**
 * With /dev/shm (Podman's locks), /run/containers (addresses, name server), /run/netns and /run/runc of its own: whatever its folders say,
 * Podman keeps those in one place for all. They vanish, with all mounts, when the last process ends.
 */
async function anchor(layout: Layout): Promise<void> {
  const pidFile = join(layout.root, 'anchor.pid')
  if (existsSync(pidFile) && existsSync(`/proc/${readFileSync(pidFile, 'utf8').trim()}`)) return
  const file = join(layout.root, 'anchor')
  writeFileSync(file, '')
  rmSync(pidFile, { force: true })
  const folders = '/dev/shm /run/containers /run/netns /run/runc'
  const mounts = `for f in ${folders}; do mkdir -p $f && mount -t tmpfs tend $f || exit 1; done`
  const silent = packageQueries
    .filter((path) => existsSync(path))
    .map((path) => `mount --bind /usr/bin/false ${path} || exit 1`)
  const script = `${[mounts, ...silent].join('; ')}; echo $$ > ${pidFile}.new && mv ${pidFile}.new ${pidFile} && exec tail -f ${file}`
  const child = spawn('unshare', ['-m', '--propagation', 'private', 'sh', '-c', script], {
    stdio: 'ignore',
    detached: true,
  })
  child.unref()
  for (let waited = 0; waited < 5_000 && !existsSync(pidFile); waited += 5) await sleep(5)
  if (!existsSync(pidFile)) throw new Error('no mount namespace could be made for Podman')
}
