/** The verbs for Compose stacks: what each takes, which flags it knows, what help says of it. */
import type { Verb } from './verbs.ts'

const everywhere = ['output', 'verbose', 'no-color', 'help'] as const
const project = ['file', 'project-name', 'project-directory', 'env-file', 'profile'] as const

export const composeVerbs = [
  {
    name: 'compose config',
    summary: 'print the resolved model of a Compose file, as docker compose config does',
    takes: '',
    least: 0,
    most: 0,
    flags: [
      ...project,
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
