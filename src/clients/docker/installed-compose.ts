/** Finds the version of the docker compose of this machine, so that our labels look as if that one had made them. */
import { readFileSync, statSync, writeFileSync, type Stats } from 'node:fs'
import { delimiter, join } from 'node:path'
import { CommandError } from '../command/command-error.ts'
import { run } from '../command/run.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Undefined when there is none, or when it does not say. `noteFile` keeps the answer until the program is another: asking costs
 * more than a whole run that finds nothing to do.
 */
export async function installedCompose(
  environment: Environment,
  noteFile: string,
): Promise<string | undefined> {
  const found = findCompose(environment)
  if (found === undefined) return undefined
  const known = noteIn(noteFile)
  if (known?.key === found.key) return known.version
  const version = await askedVersion(found.path, environment)
  if (version !== undefined) keep(noteFile, { key: found.key, version })
  return version
}

type ComposeProgram = { readonly path: string; readonly key: string }

/** Looks for Docker's plugin first, as `docker compose` does, and then for a program of its own. */
function findCompose(environment: Environment): ComposeProgram | undefined {
  const { HOME = '', DOCKER_CONFIG = join(HOME, '.docker'), PATH = '' } = environment
  const plugins = [
    DOCKER_CONFIG,
    '/usr/local/lib/docker',
    '/usr/local/libexec/docker',
    '/usr/lib/docker',
    '/usr/libexec/docker',
  ].map((folder) => join(folder, 'cli-plugins'))
  for (const folder of [...plugins, ...PATH.split(delimiter).filter((one) => one !== '')]) {
    const path = join(folder, 'docker-compose')
    const about = lookAt(path)
    if (about?.isFile() === true && (about.mode & 0o111) !== 0) {
      return { path, key: [path, about.ino, about.size, about.mtimeMs].join(' ') }
    }
  }
  return undefined
}

/** A PATH that was taken over from another user names folders that this one may not look into. */
function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // what can't be looked at can't be run either
    return undefined
  }
}

async function askedVersion(
  program: string,
  environment: Environment,
): Promise<string | undefined> {
  try {
    const asked = ['version', '--short']
    const { signal } = new AbortController()
    const { output } = await run({ program, arguments: asked, environment, signal, limit: 5000 })
    return /^v?(\d+\.\d+\.\d+\S*)/.exec(output.toString('utf8').trim())?.[1]
  } catch (error) {
    if (error instanceof CommandError) return undefined
    throw error
  }
}

type Note = { readonly key: string; readonly version: string }

function noteIn(file: string): Note | undefined {
  try {
    const { key, version }: Partial<Note> = JSON.parse(readFileSync(file, 'utf8'))
    return typeof key === 'string' && typeof version === 'string' ? { key, version } : undefined
  } catch {
    // not there yet, or cut off: the program is asked
    return undefined
  }
}

function keep(file: string, note: Note): void {
  try {
    writeFileSync(file, JSON.stringify(note))
  } catch {
    // the folder may not be there or not be writable: the next run asks again
  }
}
