/** A PostgreSQL of our own: Debian's programs, a private folder, a socket in it and a port on loopback. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from './port.ts'
import { required } from './packages.ts'

export type Postgres = {
  /** The address of a new, empty database. */
  database(): string
  readonly port: number
  /** Of the process that has all others as its children. */
  pid(): number
  stop(): Promise<void>
  start(): Promise<void>
  /** Stops it and removes its folder. */
  close(): Promise<void>
}

/** For `test(name, { skip: requiredPostgres() }, …)`. */
export function requiredPostgres(): false | string {
  return required('pg_ctlcluster')
}

function programs(): string {
  const found = globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1)
  if (found === undefined) throw new Error('PostgreSQL is not installed')
  return found
}

/** It refuses to run as root: then it runs as `nobody`. */
function asWhom(): { readonly uid?: number; readonly gid?: number } {
  return process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
}

export async function startPostgres(): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'tend-postgres-'))
  const who = asWhom()
  if (who.uid !== undefined) chownSync(folder, who.uid, who.uid)
  const data = join(folder, 'data')
  const made = spawnSync(
    join(programs(), 'initdb'),
    ['-D', data, '-U', 'tend', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C'],
    { ...who, cwd: folder, encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)
  const port = await freePort()
  let server: ChildProcess | undefined
  let count = 0

  async function start(): Promise<void> {
    const settings = [
      'listen_addresses=127.0.0.1',
      'fsync=off',
      `unix_socket_directories=${folder}`,
    ]
    server = spawn(
      join(programs(), 'postgres'),
      ['-D', data, '-p', String(port), ...settings.flatMap((each) => ['-c', each])],
      { ...who, cwd: folder, stdio: 'ignore' },
    )
    for (let tries = 0; tries < 600; tries += 1) {
      if (ask('select 1') === 0) return
      if (server.exitCode !== null) break
      await setTimeout(50)
    }
    throw new Error('PostgreSQL did not come up')
  }
  function ask(sql: string): number | null {
    const line = ['-h', folder, '-p', String(port), '-U', 'tend', '-d', 'postgres', '-qc', sql]
    return spawnSync(join(programs(), 'psql'), line, { stdio: 'ignore' }).status
  }
  /** Those who are connected are cut off, as when a machine goes down. */
  async function stop(): Promise<void> {
    const running = server
    if (running === undefined || running.exitCode !== null) return
    const ended = once(running, 'exit')
    running.kill('SIGINT')
    await ended
  }

  await start()
  return {
    port,
    pid: () => server?.pid ?? 0,
    start,
    stop,
    database() {
      count += 1
      const name = `tend_${count}`
      if (ask(`create database ${name}`) !== 0) throw new Error(`database ${name} was not made`)
      return `postgres://tend@127.0.0.1:${port}/${name}`
    },
    async close() {
      await stop()
      if (existsSync(folder)) rmSync(folder, { recursive: true, force: true })
    },
  }
}
