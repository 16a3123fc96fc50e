/** Every flag there is: how it is written, what it takes, what help says of it. */
import { composeFlags } from './compose-flags.ts'
import { containerFlags } from './container-flags.ts'
import { kustomizeFlags } from './kustomize-flags.ts'
import { serviceFlags } from './service-flags.ts'
import { fleetFlags } from './fleet-flags.ts'
import { kubeFlags } from './kube-flags.ts'
import { defined } from '#model/defined.ts'

type FlagKind =
  /** `--wait`, `--wait=false`, `--no-wait` */
  | 'switch'
  | 'text'
  | 'number'
  /** `30s`, `5m`, `1h30m` */
  | 'duration'
  | 'format'

export type Flag = {
  readonly name: string
  readonly short?: string
  readonly kind: FlagKind
  /** The word that stands for its value in help. */
  readonly takes?: string
  readonly isRepeatable?: boolean
  readonly help: string
}

export const flags = [
  {
    name: 'namespace',
    short: 'n',
    kind: 'text',
    takes: 'NAME',
    help: 'keep this copy apart: part of names in Podman and of the owner',
  },
  { name: 'dry-run', kind: 'switch', help: 'show what would happen and change nothing' },
  {
    name: 'verbose',
    short: 'v',
    kind: 'switch',
    help: 'show each operation, its command, all attempts and causes',
  },
  {
    name: 'debug',
    kind: 'switch',
    help: 'as --verbose, and the values that templates saw',
  },
  {
    name: 'output',
    short: 'o',
    kind: 'format',
    takes: 'FORMAT',
    help: 'table, json or yaml (table)',
  },
  {
    name: 'no-color',
    kind: 'switch',
    help: 'no colours (also: NO_COLOR, or output that is no terminal)',
  },
  {
    name: 'target',
    kind: 'text',
    takes: 'URL',
    help: "the engine's address: unix:///run/podman/podman.sock, unix:///var/run/docker.sock",
  },
  {
    name: 'values',
    short: 'f',
    kind: 'text',
    takes: 'FILE',
    isRepeatable: true,
    help: 'values over values.yaml; later ones win',
  },
  { name: 'set', kind: 'text', takes: 'A.B[0]=C', isRepeatable: true, help: 'one value' },
  {
    name: 'set-string',
    kind: 'text',
    takes: 'A.B=C',
    isRepeatable: true,
    help: 'one value, always text',
  },
  {
    name: 'set-json',
    kind: 'text',
    takes: 'A.B=JSON',
    isRepeatable: true,
    help: 'one value as JSON, or a whole object',
  },
  {
    name: 'set-literal',
    kind: 'text',
    takes: 'A.B=TEXT',
    isRepeatable: true,
    help: 'one value, every letter as it is',
  },
  {
    name: 'set-file',
    kind: 'text',
    takes: 'A.B=FILE',
    isRepeatable: true,
    help: "one value from a file's content",
  },
  {
    name: 'reset-values',
    kind: 'switch',
    help: 'forget the values of the last run instead of using them again',
  },
  {
    name: 'allow-env',
    kind: 'text',
    takes: 'NAME',
    isRepeatable: true,
    help: 'a variable of this environment that secrets may read',
  },
  {
    name: 'timeout',
    kind: 'duration',
    takes: 'TIME',
    help: 'how long a resource may take to become healthy (5m)',
  },
  {
    name: 'wait',
    kind: 'switch',
    help: 'wait until what changed is healthy (--wait=false: do not)',
  },
  {
    name: 'atomic',
    kind: 'switch',
    help: 'go back when something fails (--atomic=false: undo only that one)',
  },
  { name: 'concurrency', kind: 'number', takes: 'N', help: 'calls to the engine at once (8)' },
  { name: 'yes', short: 'y', kind: 'switch', help: 'do not ask before data is removed' },
  {
    name: 'prune-volumes',
    kind: 'switch',
    help: 'also remove volumes that are no longer declared, with their data',
  },
  {
    name: 'recreate-volumes',
    kind: 'switch',
    help: 'recreate volumes whose declaration changed, losing their data',
  },
  {
    name: 'allow-empty',
    kind: 'switch',
    help: 'one that declares nothing may remove everything',
  },
  {
    name: 'allow-mass-delete',
    kind: 'switch',
    help: 'more than half of many resources may be removed',
  },
  {
    name: 'exit-code',
    kind: 'switch',
    help: 'with a preview: exit 3 when there is something to change',
  },
  { name: 'run', kind: 'number', takes: 'N', help: 'what was kept of this run' },
  { name: 'tail', kind: 'number', takes: 'N', help: 'only the last lines' },
  { name: 'follow', short: 'f', kind: 'switch', help: 'stay and show new lines' },
  {
    name: 'interval',
    kind: 'duration',
    takes: 'TIME',
    help: 'look at least this often, events or not (30s)',
  },
  { name: 'install', kind: 'switch', help: 'write the systemd unit that does this at boot' },
  { name: 'print', kind: 'switch', help: 'with --install: print the unit, write nothing' },
  { name: 'help', short: 'h', kind: 'switch', help: 'this text' },
  ...composeFlags,
  ...containerFlags,
  ...kustomizeFlags,
  ...serviceFlags,
  ...fleetFlags,
  ...kubeFlags,
] as const satisfies readonly Flag[]

export type FlagName = (typeof flags)[number]['name']

export function flagOf(name: FlagName): Flag {
  return defined(flags.find((flag) => flag.name === name))
}
