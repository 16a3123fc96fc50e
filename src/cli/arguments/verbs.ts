/** Every verb there is: what it takes, which flags it knows, what help says of it. */
import { composeVerbs } from './compose-verbs.ts'
import { containerVerbs } from './container-verbs.ts'
import { fleetVerbs } from './fleet-verbs.ts'
import type { FlagName } from './flags.ts'
import { kubeVerbs } from './kube-verbs.ts'
import { kustomizeVerbs } from './kustomize-verbs.ts'
import { programVerbs } from './program-verbs.ts'
import { serviceVerbs } from './service-verbs.ts'

export type Meaning = { readonly help: string; readonly takes?: string }

export type Verb = {
  readonly name: string
  readonly summary: string
  /** What follows the verb, as help prints it. */
  readonly takes: string
  readonly least: number
  readonly most: number
  readonly flags: readonly FlagName[]
  /** From the first word on nothing is a flag, because the rest is a command to run. */
  readonly isVerbatim?: true
  /** Further lines of help. */
  readonly notes?: readonly string[]
  /** What a flag that other verbs have too means for this one. */
  readonly means?: Readonly<Partial<Record<FlagName, Meaning>>>
}

const everywhere = ['namespace', 'output', 'verbose', 'no-color', 'help'] as const
const engine = ['target', ...everywhere] as const
const inputs = [
  'values',
  'set',
  'set-string',
  'set-json',
  'set-literal',
  'set-file',
  'reset-values',
  'allow-env',
  'debug',
] as const
const running = ['timeout', 'wait', 'atomic', 'concurrency', 'yes'] as const
const removing = ['prune-volumes', 'recreate-volumes', 'allow-empty', 'allow-mass-delete'] as const
const chart = '[PATH|NAME]'
const byName =
  'The name of an installed chart stands for the folder that it was last applied from; none for the folder it runs in.'
const reuse =
  'Without values flags the values of the last run are used again; --reset-values forgets them.'

const ofService = 'Of applications that a running service looks after, the service is asked.'
/** Kustomizations have another default namespace than charts. */
const anyNamespace = {
  help: 'of a kustomization: its namespace; of a chart: the copy that is meant',
}

export const verbs = [
  {
    name: 'install',
    summary: 'make what a chart declares, and wait until it is healthy',
    takes: `[NAMESPACE] ${chart}`,
    least: 0,
    most: 2,
    flags: ['dry-run', 'exit-code', ...inputs, ...running, ...removing, ...engine],
    notes: [byName, reuse],
  },
  {
    name: 'upgrade',
    summary: 'change what runs to what the chart declares now; if that fails, go back',
    takes: `[NAMESPACE] ${chart}`,
    least: 0,
    most: 2,
    flags: ['dry-run', 'exit-code', ...inputs, ...running, ...removing, ...engine],
    notes: [byName, reuse],
  },
  {
    name: 'uninstall',
    summary: 'remove what a chart made; its volumes stay unless --prune-volumes',
    takes: 'NAME|PATH',
    least: 1,
    most: 1,
    flags: ['dry-run', 'exit-code', 'timeout', 'concurrency', 'yes', 'prune-volumes', ...engine],
  },
  {
    name: 'plan',
    summary: 'what an upgrade would do, field by field, and why',
    takes: chart,
    least: 0,
    most: 1,
    flags: ['exit-code', ...inputs, ...removing, ...engine],
    notes: [byName, reuse],
  },
  {
    name: 'status',
    summary: 'healthy, degraded, failed or unknown, and what drifted',
    takes: '[NAME|PATH|kustomization/NAME]',
    least: 0,
    most: 1,
    flags: ['exit-code', 'server', ...engine],
    notes: [
      'Exits 0 when all is healthy, else 1. Without a name: every chart.',
      'With --exit-code: 0 as declared and well, 1 failed, 3 not as declared, 4 degraded or not well yet, 5 nobody knows.',
      ofService,
    ],
    means: { namespace: anyNamespace, 'exit-code': { help: 'say by the exit code what is wrong' } },
  },
  {
    name: 'list',
    summary: 'installed charts with version, run, status and age',
    takes: '',
    least: 0,
    most: 0,
    flags: [...engine],
  },
  {
    name: 'history',
    summary: 'the runs of a chart, a stack or a kustomization, newest first',
    takes: 'NAME|PATH|kustomization/NAME',
    least: 1,
    most: 1,
    flags: ['server', ...everywhere],
    notes: [ofService],
    means: { namespace: anyNamespace },
  },
  {
    name: 'rollback',
    summary: 'apply again what an earlier run applied: no files, no templates',
    takes: 'NAME|kustomization/NAME [RUN]',
    least: 1,
    most: 2,
    flags: ['dry-run', 'exit-code', ...running, ...removing, 'server', ...engine],
    means: { namespace: anyNamespace },
    notes: [
      'Without a run: the last one that went well before the current one.',
      'What a running service looks after is put back by the service, and stays so until its source changes.',
    ],
  },
  {
    name: 'logs',
    summary: 'output of containers; with --run, what was kept when they failed',
    takes: 'NAME [CONTAINER]',
    least: 1,
    most: 2,
    flags: ['run', 'tail', 'follow', 'server', ...engine],
    notes: ['Without a container: all of them.', ofService],
  },
  {
    name: 'watch',
    summary: 'stay, and repair whatever drifts from what was applied',
    takes: '[NAME...]',
    least: 0,
    most: Infinity,
    flags: ['interval', 'timeout', 'concurrency', ...engine],
    notes: [
      'What runs and is not well is restarted three times; if that does not help, it is told once.',
    ],
  },
  {
    name: 'reinit',
    summary: 'put everything back after a reboot',
    takes: '[NAME...]',
    least: 0,
    most: Infinity,
    flags: ['install', 'print', 'timeout', 'wait', 'concurrency', ...engine],
  },
  {
    name: 'create',
    summary: 'write a chart to begin with, which installs as it is',
    takes: 'NAME|PATH',
    least: 1,
    most: 1,
    flags: ['verbose', 'no-color', 'help'],
  },
  {
    name: 'lint',
    summary: 'find everything that is wrong with a chart; needs no Podman',
    takes: chart,
    least: 0,
    most: 1,
    flags: [...inputs, ...everywhere],
    notes: ['Exits 1 when it finds problems.'],
  },
  {
    name: 'template',
    summary: 'print the rendered manifests, secrets hidden; needs no Podman',
    takes: chart,
    least: 0,
    most: 1,
    flags: [...inputs, ...everywhere],
  },
  {
    name: 'schema',
    summary: 'JSON Schema of the manifests, of tend.yaml or of fleet.yaml, for editors',
    takes: '[KIND]',
    least: 0,
    most: 1,
    flags: [...everywhere],
  },
  {
    name: 'completion',
    summary: 'completions for bash, zsh or fish',
    takes: 'SHELL',
    least: 1,
    most: 1,
    flags: ['help'],
    notes: ['bash: source <(tend completion bash)   fish: tend completion fish | source'],
  },
  ...programVerbs,
  ...serviceVerbs,
  ...composeVerbs,
  ...containerVerbs,
  ...kustomizeVerbs,
  ...fleetVerbs,
  ...kubeVerbs,
] as const satisfies readonly Verb[]

export type VerbName = (typeof verbs)[number]['name']

/** Words that stand for a longer verb. */
export const shorthands: Readonly<Record<string, VerbName>> = {
  up: 'compose up',
  down: 'compose down',
}

export function verbOf(name: string): (Verb & { readonly name: VerbName }) | undefined {
  const whole = shorthands[name] ?? name
  return verbs.find((verb) => verb.name === whole)
}
