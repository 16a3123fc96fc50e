/** A numbered scratch folder for each daemon: the number keeps its networks apart, and what a killed run left is swept. */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

export type Scratch = { readonly path: string; readonly number: number }

const prefix = join(tmpdir(), 'tend-podman-')
const most = 100

/** `isKept`: it outlives this process (the demo's); otherwise the next start sweeps it when this process is gone. */
export function takeScratch(isKept: boolean): Scratch {
  for (const path of globSync(`${prefix}*`)) if (isAbandoned(path)) sweep(path)
  for (let number = 0; number < most; number += 1) {
    const path = `${prefix}${number}`
    try {
      mkdirSync(path, { mode: 0o700 })
    } catch {
      continue
    }
    writeFileSync(join(path, 'owner'), isKept ? 'kept' : String(process.pid))
    return { path, number }
  }
  throw new Error(`no free scratch folder: ${prefix}0 to ${most - 1} are all taken`)
}

/**
 * Ends what lives in the folder, by pid, after checking that each pid is still the process it was, and takes away its
 * interfaces and firewall rules. Its mounts live in a mount namespace of its own and went with its last process.
 */
export function sweep(path: string): void {
  for (const pid of processesOf(path)) end(pid)
  clearNetwork(path)
  rmSync(path, { recursive: true, force: true, maxRetries: 5 })
}

/** Bridges and firewall rules: they are the host's, so that published ports work, and would outlive the service. */
export function clearNetwork(path: string): void {
  const number = path.slice(prefix.length)
  for (const link of linksOf(number)) spawnSync('ip', ['link', 'delete', link])
  clearRules(number)
}

/** A folder without a readable owner is one that is being made, unless it stays so. */
function isAbandoned(path: string): boolean {
  const file = join(path, 'owner')
  if (!existsSync(file)) return false
  const owner = readFileSync(file, 'utf8')
  if (owner === 'kept' || owner === '') return false
  return !existsSync(`/proc/${owner}`)
}

const daemons = new Set(['podman', 'conmon', 'aardvark-dns', 'tail'])

/** The service, the conmons, the name server and the anchor, all of which name the folder in their command line, and what runs below conmon. */
export function processesOf(path: string): readonly number[] {
  const own: number[] = []
  const parents: (readonly [number, number])[] = []
  for (const file of globSync('/proc/[0-9]*/cmdline')) {
    const pid = Number(file.split('/')[2])
    const words = contentOf(file).split('\0')
    if (daemons.has(basename(words[0]!)) && words.join(' ').includes(`${path}/`)) own.push(pid)
    parents.push([pid, Number(/\) . (\d+)/.exec(contentOf(`/proc/${pid}/stat`))?.[1] ?? 0)])
  }
  const containers = parents.filter(([, parent]) => own.includes(parent)).map(([pid]) => pid)
  return [...new Set([...own, ...containers])]
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

export function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it ended by itself
  }
}

export function linkPrefix(number: number | string): string {
  return `tt${number}p`
}

/** Three characters: more would not fit behind the longest name of a chain. */
export function chainSuffix(number: number | string): string {
  return `x${String(number).padStart(2, '0')}`
}

/** 10.120.0.0/16 and up, each service its own. */
export function subnetBase(number: number): string {
  return `10.${120 + number}`
}

function linksOf(number: string): readonly string[] {
  const { stdout } = spawnSync('ip', ['-o', 'link'], { encoding: 'utf8' })
  const pattern = new RegExp(`^\\d+: (${linkPrefix(number)}\\d+)[:@]`, 'gm')
  return [...(stdout ?? '').matchAll(pattern)].map((match) => match[1]!)
}

/** Rules that name our chains or subnets go one by one, for the chains they are in may serve others; then our own chains. */
function clearRules(number: string): void {
  const own = new RegExp(`NETAVARK-[-0-9A-Z]*${chainSuffix(number)}`)
  const subnet = ` ${subnetBase(Number(number))}.`
  for (const table of ['nat', 'filter']) {
    const { stdout } = spawnSync('iptables', ['-w', '-t', table, '-S'], { encoding: 'utf8' })
    const lines = (stdout ?? '')
      .split('\n')
      .filter((line) => own.test(line) || line.includes(subnet))
    for (const line of lines.filter((each) => each.startsWith('-A '))) {
      const rule = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => (match[1] ?? match[2])!)
      spawnSync('iptables', ['-w', '-t', table, '-D', ...rule.slice(1)])
    }
    for (const line of lines.filter((each) => each.startsWith('-N '))) {
      spawnSync('iptables', ['-w', '-t', table, '-X', line.slice(3)])
    }
  }
}
