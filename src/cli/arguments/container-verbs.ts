/** The verbs for containers of a stack that people know from docker compose. */
import type { Verb } from './verbs.ts'

const everywhere = ['output', 'verbose', 'no-color', 'help'] as const
const engine = ['target', ...everywhere] as const
const project = ['file', 'project-name', 'project-directory', 'env-file', 'profile'] as const
const served =
  'A stack that a service looks after is put right again by it: tend suspend NAME first.'
const theirs =
  "Only containers that Tend made or took over; those of others are docker compose's to change."
const all = { all: { help: 'also stopped ones' } } as const

export const containerVerbs = [
  {
    name: 'compose ps',
    summary: 'the containers of a stack, as docker compose ps lists them',
    takes: '[SERVICE...]',
    least: 0,
    most: Infinity,
    flags: [
      ...(['all', 'all-containers', 'quiet', 'services', 'status', 'filter', 'format'] as const),
      ...(['no-trunc', ...project, ...engine] as const),
    ],
    means: {
      ...all,
      quiet: { help: 'only ids' },
      services: { help: 'only the names of services' },
      format: { help: 'table or json (table)' },
    },
  },
  {
    name: 'compose images',
    summary: 'the images that containers of a stack were made from',
    takes: '[SERVICE...]',
    least: 0,
    most: Infinity,
    flags: ['quiet', 'format', ...project, ...engine],
    means: { quiet: { help: 'only ids' }, format: { help: 'table or json (table)' } },
  },
  {
    name: 'compose top',
    summary: 'the processes in the containers of a stack',
    takes: '[SERVICE...]',
    least: 0,
    most: Infinity,
    flags: [...project, ...engine],
  },
  {
    name: 'compose start',
    summary: 'start containers of a stack that were stopped, what they depend on first',
    takes: '[SERVICE...]',
    least: 0,
    most: Infinity,
    flags: [...project, ...engine],
    notes: [theirs],
  },
  {
    name: 'compose stop',
    summary: 'stop containers of a stack and leave them there',
    takes: '[SERVICE...]',
    least: 0,
    most: Infinity,
    flags: ['stop-time', ...project, ...engine],
    notes: [served, theirs],
  },
  {
    name: 'compose restart',
    summary: 'stop containers of a stack and start them again',
    takes: '[SERVICE...]',
    least: 0,
    most: Infinity,
    flags: ['stop-time', ...project, ...engine],
    notes: [theirs],
  },
  {
    name: 'compose pull',
    summary: 'pull the images of a stack, and change nothing that runs',
    takes: '[SERVICE...]',
    least: 0,
    most: Infinity,
    flags: [
      ...(['quiet', 'ignore-pull-failures', 'use-env', 'allow-outside'] as const),
      ...project,
      ...engine,
    ],
    means: { quiet: { help: 'without lines of progress' } },
  },
  {
    name: 'compose exec',
    summary: 'run a command in a container of a stack that runs',
    takes: 'SERVICE COMMAND [ARGUMENT...]',
    least: 2,
    most: Infinity,
    isVerbatim: true,
    flags: [
      ...(['no-tty', 'interactive', 'detach', 'user', 'workdir', 'env', 'index'] as const),
      ...(['privileged', ...project, ...engine] as const),
    ],
    means: { detach: { help: 'do not wait for it' } },
    notes: ['Exits as the command does. Flags stand before SERVICE; all behind it is the command.'],
  },
  {
    name: 'compose run',
    summary: 'run one command in a container of its own, as a service would',
    takes: 'SERVICE [COMMAND] [ARGUMENT...]',
    least: 1,
    most: Infinity,
    isVerbatim: true,
    flags: [
      ...(['rm', 'no-tty', 'interactive', 'detach', 'name', 'user', 'workdir', 'env'] as const),
      ...(['entrypoint', 'no-deps', 'service-ports', 'compose-version', 'use-env'] as const),
      ...(['allow-outside', 'scale', ...project, ...engine] as const),
    ],
    means: {
      detach: { help: 'do not wait for it; prints its id' },
      name: { help: 'what the container is called' },
    },
    notes: [
      'Exits as the command does. Flags stand before SERVICE; all behind it is the command.',
      'The stack has to be up: what the service depends on is not started for it.',
    ],
  },
  {
    name: 'compose watch',
    summary:
      'bring a stack up, then copy, restart or build what develop.watch says, as files change',
    takes: '[SERVICE...]',
    least: 0,
    most: Infinity,
    flags: [
      ...(['no-up', 'compose-version', 'use-env', 'allow-outside', 'scale', 'pull'] as const),
      ...(['timeout', 'wait', 'atomic', 'concurrency', 'yes', ...project, ...engine] as const),
    ],
    notes: [
      'Stays until Ctrl-C, and then exits with 0; the stack stays up.',
      'A rebuild is tend up: it makes anew whatever changed, also of other services.',
      served,
    ],
  },
] as const satisfies readonly Verb[]
