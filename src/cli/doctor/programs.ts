/** Which of the programs that Tend starts are on the PATH, and what each missing one costs. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Finding } from './finding.ts'

type Wanted = {
  readonly name: string
  readonly programs: readonly string[]
  /** What the first of them is asked for its version with. */
  readonly version: string
  readonly costs: string
  readonly mend: string
}

const wanted: readonly Wanted[] = [
  {
    name: 'Git',
    programs: ['git'],
    version: '--version',
    costs: 'the service follows folders of this machine and no repositories',
    mend: 'apt-get install -y git',
  },
  {
    name: 'ssh',
    programs: ['ssh', 'ssh-keygen'],
    version: '-V',
    costs: 'no repository is read over ssh, and no signature by an ssh key is checked',
    mend: 'apt-get install -y openssh-client',
  },
  {
    name: 'GnuPG',
    programs: ['gpg'],
    version: '--version',
    costs: 'signatures by GnuPG keys are not checked (verify.gpg of a source)',
    mend: 'apt-get install -y gnupg',
  },
]

/** Any of these makes clusters. */
const providers = ['kind', 'k3d', 'kwokctl']

export function programFindings(path: string): readonly Finding[] {
  const all = wanted.map(({ name, programs, version, costs, mend }): Finding => {
    const gone = programs.filter((one) => whereIs(one, path) === undefined)
    if (gone.length > 0) {
      return { name, state: 'missing', found: `not on the PATH: ${gone.join(', ')}`, costs, mend }
    }
    const places = programs.flatMap((one) => whereIs(one, path) ?? [])
    return { name, state: 'ok', found: `${versionOf(places[0], version)}${places.join(', ')}` }
  })
  const there = providers.filter((one) => whereIs(one, path) !== undefined)
  return [...all, there.length > 0 ? some(there) : none]
}

/** With a blank behind it; nothing where the program does not say. */
function versionOf(program: string | undefined, word: string): string {
  if (program === undefined) return ''
  const { stdout, stderr } = spawnSync(program, [word], { encoding: 'utf8', timeout: 5_000 })
  const found = /\d+\.\d+[\w.]*/.exec(`${stdout ?? ''}${stderr ?? ''}`)?.[0]
  return found === undefined ? '' : `${found} `
}

const name = 'clusters'

function some(there: readonly string[]): Finding {
  return { name, state: 'ok', found: `made by ${there.join(', ')}` }
}

const none: Finding = {
  name,
  state: 'missing',
  found: `none of ${providers.join(', ')} is on the PATH`,
  costs: 'tend fleet makes no clusters; it still routes to existing ones',
  mend: `curl -fLo kind https://kind.sigs.k8s.io/dl/v0.33.0/kind-linux-${process.arch === 'x64' ? 'amd64' : process.arch} && sudo install kind /usr/local/bin`,
}

export function whereIs(program: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((file) => isAllowed(file, constants.X_OK))
}

export function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return true
  } catch (reason) {
    void reason
    return false
  }
}
