/** The verbs for fleets: what each takes, which flags it knows, what help says of it. */
import type { FlagName } from './flags.ts'
import type { Meaning, Verb } from './verbs.ts'

const everywhere = ['db', 'config', 'report', 'output', 'verbose', 'no-color', 'help'] as const
const running = ['timeout', 'concurrency', 'allow-empty', 'allow-mass-delete'] as const
const place = ['node-port', 'pf-port', 'http-port', 'https-port', 'subnet'] as const
const registrations = ['route', 'portainer', 'argocd', 'git'] as const

const means = {
  config: {
    takes: 'FILE',
    help: 'programs, images, HAProxy, Portainer, Argo CD, Git (fleet.yaml beside the database)',
  },
  interval: { help: 'with --loop: from the end of one pass to the next (15m)' },
  timeout: { help: 'how long a cluster may take to become ready (5m)' },
  concurrency: { help: 'clusters and registrations that are worked on at once (8)' },
  'allow-empty': { help: 'a table without rows may remove everything' },
  'allow-mass-delete': { help: 'more than half of many clusters may be removed' },
} as const satisfies Partial<Record<FlagName, Meaning>>

const table = [
  {
    name: 'fleet init',
    summary: 'make the clusters table; a database that is there stays as it is',
    takes: '',
    least: 0,
    most: 0,
    flags: ['import', ...everywhere],
  },
  {
    name: 'fleet add',
    summary: 'declare a cluster: a row that says present',
    takes: 'NAME',
    least: 1,
    most: 1,
    flags: ['provider', ...place, ...registrations, ...everywhere],
    notes: ['Ports that are left out are given: free in the table and on this host.'],
  },
  {
    name: 'fleet rm',
    summary: 'mark a cluster absent: the next reconcile deletes it',
    takes: 'NAME',
    least: 1,
    most: 1,
    flags: [...everywhere],
  },
  {
    name: 'fleet list',
    summary: 'the rows of the table, as it says they are',
    takes: '',
    least: 0,
    most: 0,
    flags: ['json', ...everywhere],
  },
  {
    name: 'fleet reconcile',
    summary: 'make reality match the table: clusters, routes, registrations',
    takes: '',
    least: 0,
    most: 0,
    flags: [
      ...(['from-db', 'dry-run', 'prune-missing', 'recreate'] as const),
      ...(['loop', 'interval', 'max-runs', 'once'] as const),
      ...(['last-run', 'json', 'history-file'] as const),
      ...running,
      ...everywhere,
    ],
    notes: [
      '--dry-run shows and changes nothing; --from-db repairs; --prune-missing removes rows, and creates nothing.',
      "Exits 0 when all is as declared, 1 when something failed, 2 when the database can't be reached,",
      '3 when a dry run found something to do, 10 when a cluster is missing, 11 when states differ.',
    ],
  },
  {
    name: 'fleet bootstrap',
    summary:
      'networks, HAProxy with its routes, a look at the management cluster and at the programs that rows need',
    takes: '',
    least: 0,
    most: 0,
    flags: [...everywhere],
  },
  {
    name: 'fleet validate',
    summary:
      'whether table, clusters, routes and registrations agree, with a request through each route',
    takes: '',
    least: 0,
    most: 0,
    flags: ['json', ...everywhere],
    notes: ['Exits 0 when all checks pass, else 1.'],
  },
  {
    name: 'fleet clean',
    summary: 'delete the clusters and registrations of the table; rows and database stay',
    takes: '',
    least: 0,
    most: 0,
    flags: ['all', 'dry-run', 'history-file', 'timeout', 'concurrency', ...everywhere],
    notes: ['Clusters that Tend did not make or adopt stay unless --all.'],
  },
  {
    name: 'fleet regress',
    summary: 'clean, bootstrap, reconcile, validate; fails fast when too few clusters stand',
    takes: '',
    least: 0,
    most: 0,
    flags: ['require', 'log', 'history-file', ...running, ...everywhere],
    notes: [
      'Only declared rows are counted. The log goes to /tmp/kindler_reconcile.log unless --log, the summary to the',
      'end of docs/TEST_REPORT.md unless --report.',
    ],
  },
  {
    name: 'fleet start',
    summary: 'start a stopped cluster and wait until it is ready',
    takes: 'NAME',
    least: 1,
    most: 1,
    flags: ['timeout', ...everywhere],
  },
  {
    name: 'fleet stop',
    summary: 'stop a cluster; the next reconcile starts it',
    takes: 'NAME',
    least: 1,
    most: 1,
    flags: ['timeout', ...everywhere],
  },
  {
    name: 'fleet kubeconfig',
    summary: "print a cluster's own kubeconfig, or --merge clusters into yours",
    takes: '[NAME]',
    least: 0,
    most: 1,
    flags: ['merge', ...everywhere],
    notes: [
      '--merge puts NAME, or all declared clusters, into the first file of KUBECONFIG, else ~/.kube/config, as the',
      'contexts kind-NAME, k3d-NAME and kwok-NAME. What else is in it stays; a copy of before is kept beside it.',
    ],
  },
  {
    name: 'fleet set',
    summary: 'change a row and what is declared beside it',
    takes: 'NAME KEY=VALUE…',
    least: 2,
    most: 50,
    flags: [...everywhere],
    notes: [
      'Keys: http_port, https_port, pf_port, node_port, subnet, route, portainer, argocd, git, image, version,',
      'api_address, servers, agents, and config.PATH for what is put over the configuration of its provider.',
      'An empty value takes back what was set.',
    ],
  },
  {
    name: 'fleet export',
    summary: 'print the rows as YAML, to be kept in Git',
    takes: '',
    least: 0,
    most: 0,
    flags: [...everywhere],
  },
  {
    name: 'fleet import',
    summary: 'make rows what a file of fleet export says; all of it or nothing',
    takes: 'FILE',
    least: 1,
    most: 1,
    flags: [...everywhere],
  },
  {
    name: 'fleet adopt',
    summary: 'declare a cluster that is there already',
    takes: 'NAME',
    least: 1,
    most: 1,
    flags: ['provider', ...place, ...registrations, ...everywhere],
  },
  {
    name: 'fleet verify',
    summary: 'whether clusters are as the table says',
    takes: '',
    least: 0,
    most: 0,
    flags: ['json', ...everywhere],
    notes: ['Exits 0 when they are, 10 when one is missing, 11 when states differ, else 1.'],
  },
] as const satisfies readonly Verb[]

export const fleetVerbs = table.map((verb) => ({ ...verb, means }))
