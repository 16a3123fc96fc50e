/** Flags of the verbs for containers of a stack, as docker compose spells them. */
import type { Flag } from './flags.ts'
import type { Reading } from './compose-values.ts'
import { wholeNumber } from './measures.ts'

export const containerFlags = [
  { name: 'all-containers', short: 'a', kind: 'switch', help: 'as --all: also stopped ones' },
  { name: 'filter', kind: 'text', takes: 'KEY=VALUE', help: 'only these: status=exited' },
  {
    name: 'status',
    kind: 'text',
    takes: 'STATE',
    isRepeatable: true,
    help: 'only these: created, dead, exited, paused, removing, restarting, running',
  },
  { name: 'no-trunc', kind: 'switch', help: 'whole ids and commands' },
  { name: 'no-tty', short: 'T', kind: 'switch', help: 'without a terminal, also on one' },
  {
    name: 'interactive',
    short: 'i',
    kind: 'switch',
    help: 'keep its input open (as always unless --no-interactive)',
  },
  {
    name: 'stop-time',
    short: 't',
    kind: 'number',
    takes: 'SECONDS',
    help: 'how long one may take to stop (what it was declared with, else 10)',
  },
  { name: 'user', short: 'u', kind: 'text', takes: 'USER', help: 'run it as this user' },
  { name: 'workdir', short: 'w', kind: 'text', takes: 'FOLDER', help: 'run it in this folder' },
  {
    name: 'env',
    short: 'e',
    kind: 'text',
    takes: 'NAME=VALUE',
    isRepeatable: true,
    help: 'a variable for it',
  },
  { name: 'index', kind: 'number', takes: 'N', help: 'the container of this number (the first)' },
  { name: 'privileged', kind: 'switch', help: 'with all rights of the host' },
  { name: 'rm', kind: 'switch', help: 'remove the container when it has ended' },
  { name: 'no-deps', kind: 'switch', help: 'also when what it depends on is not there' },
  { name: 'entrypoint', kind: 'text', takes: 'COMMAND', help: 'in place of that of the image' },
  { name: 'service-ports', short: 'P', kind: 'switch', help: 'publish the ports of the service' },
  {
    name: 'ignore-pull-failures',
    kind: 'switch',
    help: 'go on with the others when one can not be pulled',
  },
  { name: 'no-up', kind: 'switch', help: 'without bringing the stack up first' },
] as const satisfies readonly Flag[]

export type ContainerFlags = {
  readonly all: boolean
  readonly states: readonly string[]
  readonly isWhole: boolean
  readonly hasNoTerminal: boolean
  readonly hasInput: boolean
  readonly isDetached: boolean
  readonly stopTime: number | undefined
  readonly user: string | undefined
  readonly folder: string | undefined
  readonly environment: readonly string[]
  readonly index: number | undefined
  readonly isPrivileged: boolean
  readonly goesOn: boolean
  readonly isRemoved: boolean
  readonly hasNoDependencies: boolean
  readonly entrypoint: string | undefined
  readonly hasPorts: boolean
  readonly isUpAlready: boolean
}

export function containerFlagsOf({ texts, text, isOn }: Reading): ContainerFlags {
  const filters = texts('filter').flatMap((filter) => /^status=(.+)$/.exec(filter)?.[1] ?? [])
  const number = (name: 'stop-time' | 'index'): number | undefined => {
    const value = text(name)
    if (value === undefined) return undefined
    return value === '0' ? 0 : wholeNumber(name, value)
  }
  return {
    all: isOn('all') || isOn('all-containers'),
    states: [...texts('status'), ...filters],
    isWhole: isOn('no-trunc'),
    hasNoTerminal: isOn('no-tty'),
    hasInput: isOn('interactive', true),
    isDetached: isOn('detach'),
    stopTime: number('stop-time'),
    user: text('user'),
    folder: text('workdir'),
    environment: texts('env'),
    index: number('index'),
    isPrivileged: isOn('privileged'),
    goesOn: isOn('ignore-pull-failures'),
    isRemoved: isOn('rm'),
    hasNoDependencies: isOn('no-deps'),
    entrypoint: text('entrypoint'),
    hasPorts: isOn('service-ports'),
    isUpAlready: isOn('no-up'),
  }
}
