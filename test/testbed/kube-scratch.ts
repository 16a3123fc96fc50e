/** A scratch folder for each control plane: all its processes name it, and what a killed run left is swept by the next. */
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { end } from './scratch.ts'

const prefix = join(tmpdir(), 'tend-kube-')

export function takeKubeScratch(): string {
  for (const path of globSync(`${prefix}*`)) if (isAbandoned(path)) sweepKube(path)
  const path = mkdtempSync(prefix)
  writeFileSync(join(path, 'owner'), String(process.pid))
  return path
}

/** Every process whose command line names the folder, by pid, until none is left. */
export function sweepKube(path: string): void {
  for (let tries = 0; tries < 200; tries += 1) {
    const found = processesOf(path)
    if (found.length === 0) break
    for (const pid of found) end(pid)
    spawnSync('sleep', ['0.02'])
  }
  rmSync(path, { recursive: true, force: true, maxRetries: 5 })
}

/** One without an owner is being made at this moment. */
function isAbandoned(path: string): boolean {
  const owner = contentOf(join(path, 'owner'))
  return owner !== '' && !isAlive(owner)
}

const parts = /\/(etcd|kube-apiserver-|kube-controller-manager-|kube-scheduler-|kwok-)[^/]*$/

function processesOf(path: string): readonly number[] {
  return globSync('/proc/[0-9]*/cmdline')
    .filter((file) => {
      const words = contentOf(file).split('\0')
      return parts.test(words[0]!) && words.join(' ').includes(`${path}/`)
    })
    .map((file) => Number(file.split('/')[2]))
    .filter((pid) => isAlive(String(pid)))
}

/** Where nobody counts the dead they stay in the list, marked. */
function isAlive(pid: string): boolean {
  return /\) [^ZX] /.test(contentOf(`/proc/${pid}/stat`))
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
