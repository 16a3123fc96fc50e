/** The Node that a release brings: the one that the lockfile names, for each machine, checked against the lockfile's sum. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

export type Machine = 'x64' | 'arm64'

export type NodeInside = {
  readonly version: string
  /** The executable on the disk. */
  readonly program: string
  /** Of the npm package, as the lockfile has it. */
  readonly integrity: string
  /** How it is run on this machine: by itself, or by an emulator. */
  readonly command: readonly string[]
}

export function nodeInside(machine: Machine): NodeInside {
  const name = `node-linux-${machine}`
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const { version, integrity } = lock.packages[`node_modules/${name}`]
  const installed = `node_modules/${name}`
  const folder = existsSync(installed) ? installed : fetched(name, version, integrity)
  const program = join(folder, 'bin/node')
  return { version, program, integrity, command: [...emulator(machine), program] }
}

/** npm installs only the package for its own machine, so the other one is got here; once, and kept. */
function fetched(name: string, version: string, integrity: string): string {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'tend-release')
  const folder = join(cache, `${name}-${version}`)
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const scratch = mkdtempSync(join(cache, 'getting-'))
  const words = ['pack', `${name}@${version}`, '--silent', '--pack-destination', scratch]
  execFileSync('npm', words, { stdio: ['ignore', 'ignore', 'inherit'] })
  const archive = join(scratch, `${name}-${version}.tgz`)
  const sum = createHash('sha512').update(readFileSync(archive)).digest('base64')
  if (`sha512-${sum}` !== integrity) throw new Error(`${archive} is not what the lockfile names`)
  execFileSync('tar', ['-C', scratch, '-xf', archive])
  renameSync(join(scratch, 'package'), folder)
  rmSync(scratch, { recursive: true })
  return folder
}

const emulators = {
  arm64: ['qemu-aarch64-static', '-L', '/usr/aarch64-linux-gnu'],
  x64: ['qemu-x86_64-static', '-L', '/usr/x86_64-linux-gnu'],
} as const

function emulator(machine: Machine): readonly string[] {
  if (process.arch === machine) return []
  const [program, option, libraries] = emulators[machine]
  const isThere = spawnSync(program, ['-version']).status === 0 && existsSync(libraries)
  if (isThere) return [program, option, libraries]
  const debian = machine === 'x64' ? 'amd64' : machine
  throw new Error(
    `the code for ${machine} is compiled by an emulator, and there is none. Run: apt-get install -y --no-install-recommends qemu-user-static libc6-${debian}-cross libstdc++6-${debian}-cross, or leave ${machine} out: npm run release -- --machine ${process.arch}`,
  )
}
