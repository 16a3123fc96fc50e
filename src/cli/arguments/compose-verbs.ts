/** The verbs for Compose stacks: what each takes, which flags it knows, what help says of it. */
import type { Verb } from './verbs.ts'

const everywhere = ['output', 'verbose', 'no-color', 'help'] as const
const engine = ['target', ...everywhere] as const
const project = ['file', 'project-name', 'project-directory', 'env-file', 'profile'] as const
const reading = [...project, 'compose-version', 'use-env', 'allow-outside', 'scale'] as const
const running = ['timeout', 'wait', 'atomic', 'concurrency', 'yes'] as const
const removing = ['prune-volumes', 'recreate-volumes', 'allow-empty', 'allow-mass-delete'] as const
const confined = [
  "Files and binds stay inside the project's folder unless --allow-outside; variables come from .env and",
  '--env-file, and from the environment only with --use-env.',
] as const
const byName =
  '-p NAME alone means the stack of that name, from the files it was last applied from.'

export const composeVerbs = [
  {
    name: 'compose up',
    summary: 'make what a Compose file declares, and wait until it is healthy',
    takes: '',
    least: 0,
    most: 0,
    flags: [
      'dry-run',
      'exit-code',
      ...reading,
      'adopt',
      'pull',
      'build',
      'detach',
      ...running,
      ...removing,
      ...engine,
    ],
    notes: [
      'Only what differs is touched; if it fails, everything goes back.',
      ...confined,
      byName,
    ],
  },
  {
    name: 'compose down',
    summary: 'remove what a stack made; its volumes stay unless --volumes',
    takes: '',
    least: 0,
    most: 0,
    flags: [
      ...(['dry-run', 'exit-code', 'volumes', 'timeout', 'concurrency', 'yes'] as const),
      ...project,
      ...engine,
    ],
    notes: [byName, '-v is --verbose: volumes go only with --volumes.'],
  },
  {
    name: 'compose plan',
    summary: 'what up would do, field by field, and why',
    takes: '',
    least: 0,
    most: 0,
    flags: ['exit-code', ...reading, 'adopt', ...removing, ...engine],
    notes: [...confined, byName],
  },
  {
    name: 'compose status',
    summary: 'healthy, degraded, failed or unknown, and what drifted',
    takes: '',
    least: 0,
    most: 0,
    flags: ['exit-code', ...project, ...engine],
    notes: [
      'Exits 0 when all is healthy, else 1.',
      'With --exit-code: 0 as declared and well, 1 failed, 3 not as declared, 4 degraded or not well yet, 5 nobody knows.',
    ],
    means: { 'exit-code': { help: 'say by the exit code what is wrong' } },
  },
  {
    name: 'compose logs',
    summary: 'output of services; with --run, what was kept when it failed',
    takes: '[SERVICE...]',
    least: 0,
    most: Infinity,
    flags: ['run', 'tail', 'follow', ...project, ...engine],
    notes: [
      'Without a service: all of them. -f is --follow, unless the name of a file follows it.',
    ],
  },
  {
    name: 'compose history',
    summary: 'the runs of a stack',
    takes: '',
    least: 0,
    most: 0,
    flags: [...project, ...everywhere],
  },
  {
    name: 'compose rollback',
    summary: 'apply again what an earlier run applied: no files needed',
    takes: '[RUN]',
    least: 0,
    most: 1,
    flags: ['dry-run', 'exit-code', ...project, ...running, ...removing, ...engine],
    notes: ['Without a run: the last one that went well before the current one.'],
  },
  {
    name: 'compose config',
    summary: 'print the resolved model of a Compose file, as docker compose config does',
    takes: '',
    least: 0,
    most: 0,
    flags: [
      ...project,
      'compose-version',
      'format',
      'hash',
      'services',
      'quiet',
      'no-interpolate',
      'no-normalize',
      'no-consistency',
      'no-path-resolution',
      ...everywhere,
    ],
    notes: ['Sees the environment and files anywhere, as docker compose does.'],
  },
] as const satisfies readonly Verb[]
