/** A numbered scratch folder for each Docker daemon, and the sweep of what a killed run left. */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { end } from './scratch.ts'

export type DockerScratch = {
  readonly path: string
  /** Its own bridge: Docker's is one for all. */
  readonly bridge: string
  /** `10.220`: all its networks lie below. */
  readonly subnet: string
}

const prefix = join(tmpdir(), 'tend-docker-')
const most = 35

export function takeDockerScratch(): DockerScratch {
  for (const path of globSync(`${prefix}*`)) if (isAbandoned(path)) sweepDocker(path)
  for (let number = 0; number < most; number += 1) {
    const path = `${prefix}${number}`
    try {
      mkdirSync(path, { mode: 0o700 })
    } catch {
      continue
    }
    writeFileSync(join(path, 'owner'), String(process.pid))
    return { path, bridge: bridgeOf(path), subnet: `10.${220 + number}` }
  }
  throw new Error(`no free scratch folder: ${prefix}0 to ${most - 1} are all taken`)
}

/** The daemon, its containerd, the shims and what runs below them, by pid; its mounts live in a namespace that ends with them. */
export function sweepDocker(path: string): void {
  for (let tries = 0; tries < 200; tries += 1) {
    const found = processesOf(path)
    if (found.length === 0) break
    for (const pid of found) end(pid)
    spawnSync('sleep', ['0.02'])
  }
  for (const link of linksOf(path)) spawnSync('ip', ['link', 'delete', link])
  const groups = globSync(`/sys/fs/cgroup/{,*/}${basename(path)}`)
  if (groups.length > 0) spawnSync('find', [...groups, '-depth', '-type', 'd', '-delete'])
  rmSync(path, { recursive: true, force: true, maxRetries: 5 })
}

function bridgeOf(path: string): string {
  return `td${path.slice(prefix.length)}b`
}

function isAbandoned(path: string): boolean {
  const file = join(path, 'owner')
  if (!existsSync(file)) return false
  const owner = readFileSync(file, 'utf8')
  return owner !== '' && !isAlive(owner)
}

/** Where nobody counts the dead they stay in the list, marked. */
function isAlive(pid: string): boolean {
  return /\) [^ZX] /.test(contentOf(`/proc/${pid}/stat`))
}

const daemons = new Set(['dockerd', 'containerd', 'containerd-shim-runc-v2', 'docker-proxy'])

/** Only those that live: a dead one that nobody has counted yet has no command line. */
function processesOf(path: string): readonly number[] {
  const own: number[] = []
  const parents: (readonly [number, number])[] = []
  for (const file of globSync('/proc/[0-9]*/cmdline')) {
    const pid = Number(file.split('/')[2])
    const words = contentOf(file).split('\0')
    if (words[0] === '') continue
    const isOurs = words.join(' ').includes(`${path}/`) || isBelow(words, path)
    if (daemons.has(basename(words[0]!)) && isOurs) own.push(pid)
    parents.push([pid, Number(/\) . (\d+)/.exec(contentOf(`/proc/${pid}/stat`))?.[1] ?? 0)])
  }
  const containers = parents.filter(([, parent]) => own.includes(parent)).map(([pid]) => pid)
  return [...new Set([...own, ...containers])]
}

/** A port's proxy names no folder, only the address it leads to. */
function isBelow(words: readonly string[], path: string): boolean {
  const subnet = `10.${220 + Number(path.slice(prefix.length))}.`
  return basename(words[0]!) === 'docker-proxy' && words.some((word) => word.startsWith(subnet))
}

/** Its own bridge and those of its networks, which are Docker's by their names and its by their addresses. */
function linksOf(path: string): readonly string[] {
  const subnet = `10.${220 + Number(path.slice(prefix.length))}.`
  const { stdout } = spawnSync('ip', ['-o', '-4', 'address'], { encoding: 'utf8' })
  const found = [...(stdout ?? '').matchAll(/^\d+: (\S+)\s+inet (\S+)/gm)]
  return found
    .filter((match) => /^(br-[0-9a-f]{12}|td\d+b)$/.test(match[1]!) && match[2]!.startsWith(subnet))
    .map((match) => match[1]!)
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
