/** A Debian 12 as nobody has touched it: no Node, no Git, no engine. Made once by mmdebstrap, unpacked for each test. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { provide } from './packages.ts'

export type Said = { readonly status: number | null; readonly out: string; readonly err: string }

export type DebianRoot = {
  readonly folder: string
  /** In a shell inside, with an empty environment; `user` is a number. */
  readonly run: (line: string, user?: number) => Said
  readonly remove: () => void
}

export function debianRoot(): DebianRoot {
  const folder = mkdtempSync(join(tmpdir(), 'tend-debian-'))
  execFileSync('tar', ['-C', folder, '-xf', debianTar()])
  return {
    folder,
    run(line, user = 0) {
      const path = 'PATH=/usr/sbin:/usr/bin:/sbin:/bin'
      const inside = [`--userspec=${user}:${user}`, folder, 'env', '-i', path, 'HOME=/tmp']
      const words = [...inside, 'DEBIAN_FRONTEND=noninteractive', 'sh', '-ec', line]
      const { status, stdout, stderr } = spawnSync('chroot', words, { encoding: 'utf8' })
      return { status, out: stdout, err: stderr }
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** `more`: packages beside the least that there can be. */
export function debianTar(more: readonly string[] = []): string {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'tend-testbed')
  const tar = join(cache, `debian-12-${['minbase', ...more].join('-')}.tar`)
  if (existsSync(tar)) return tar
  if (!provide('mmdebstrap')) throw new Error('mmdebstrap is missing')
  mkdirSync(cache, { recursive: true })
  const made = `${tar}.${process.pid}.tar`
  const mirror = process.env['TEND_DEBIAN_MIRROR'] ?? 'http://deb.debian.org/debian'
  const include = ['adduser', 'ca-certificates', ...more].join(',')
  const options = ['--mode=root', '--variant=minbase', `--include=${include}`]
  execFileSync('mmdebstrap', [...options, 'bookworm', made, mirror], { stdio: 'pipe' })
  renameSync(made, tar)
  return tar
}
