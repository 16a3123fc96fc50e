/** What the machine itself gives: a folder with room in it, room for images, cgroups, a free port. */
import { constants, existsSync, statfsSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import type { Finding } from './finding.ts'
import { isAllowed } from './programs.ts'

const gigabyte = 1e9

/** History and keys: the folder itself, or the one in which it will be made. */
export function homeFinding(home: string): Finding {
  let folder = home
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
  const costs = 'no history is kept, so nothing is installed'
  const set = 'TEND_HOME=FOLDER names another one'
  if (!isAllowed(folder, constants.W_OK)) {
    const found = `${home}: you may not write in ${folder}`
    return { name: 'TEND_HOME', state: 'broken', found, costs, mend: set }
  }
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const found = `${home}, ${(free / gigabyte).toFixed(1)} GB free`
  if (free >= gigabyte) return { name: 'TEND_HOME', state: 'ok', found }
  return {
    name: 'TEND_HOME',
    state: 'broken',
    found,
    costs: 'a full disk stops every run: history is written before each call',
    mend: `make room, or ${set}`,
  }
}

/** `folder` is where an engine of this machine keeps images; undefined where that is another machine. */
export function imagesFinding(engine: string, folder: string | undefined): readonly Finding[] {
  if (folder === undefined || !existsSync(folder)) return []
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const found = `${folder}, ${(free / gigabyte).toFixed(1)} GB free`
  const name = `images of ${engine}`
  if (free >= gigabyte) return [{ name, state: 'ok', found }]
  const costs = 'images can not be pulled, and containers can not write'
  const mend = `${engine.toLowerCase()} image prune, which removes only images without a name`
  return [{ name, state: 'broken', found, costs, mend }]
}

export function systemdFinding(): Finding {
  const name = 'systemd'
  if (existsSync('/run/systemd/system')) return { name, state: 'ok', found: 'it runs this machine' }
  return {
    name,
    state: 'missing',
    found: 'it does not run here',
    costs: 'tend reinit --install and the unit of the service can not be used',
    mend: 'have tend serve, or tend reinit after a reboot, started by what starts services here',
  }
}

export function cgroupsFinding(): Finding {
  const name = 'cgroups'
  if (existsSync('/sys/fs/cgroup/cgroup.controllers')) return { name, state: 'ok', found: 'v2' }
  return {
    name,
    state: 'missing',
    found: existsSync('/sys/fs/cgroup') ? 'v1' : 'none',
    costs: 'Podman without root keeps no limits of memory and processors',
    mend: 'boot with systemd.unified_cgroup_hierarchy=1',
  }
}

/** `served` is the address of our own service, when one runs. */
export async function portFinding(served: string | undefined): Promise<Finding> {
  const name = 'port 8080'
  if (served !== undefined) return { name, state: 'ok', found: `the service runs at ${served}` }
  const code = await new Promise<string | undefined>((done) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
    server.listen(8080, '127.0.0.1', () => server.close(() => done(undefined)))
  })
  if (code === undefined) return { name, state: 'ok', found: 'free for tend serve' }
  return {
    name,
    state: 'missing',
    found: `taken by another program (${code})`,
    costs: 'tend serve does not start on its usual address',
    mend: 'tend serve --listen 127.0.0.1:8090, or listen in tend.yaml',
  }
}
