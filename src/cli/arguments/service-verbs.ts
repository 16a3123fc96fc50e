/** The service and the verbs that talk to it: what each takes, which flags it knows, what help says of it. */
import type { Verb } from './verbs.ts'

const everywhere = ['output', 'verbose', 'no-color', 'help'] as const
const asking = ['server', ...everywhere] as const
const meant =
  'NAME is that of an application; stack:NAME or chart:NAMESPACE/NAME where two share it.'

const onObject = ['namespace', 'kubeconfig', 'context', ...asking] as const
const onObjectNote =
  'Without a service that knows it, kustomization/NAME is written on its object in the cluster, as flux does.'

const ofCluster = { help: 'the namespace of the Kustomization or GitRepository (flux-system)' }

export const serviceVerbs = [
  {
    name: 'serve',
    summary: 'watch Git repositories and keep what they declare running, until it is ended',
    takes: '',
    least: 0,
    most: 0,
    flags: [
      'config',
      'listen',
      'database',
      'offer',
      'kube',
      'kubeconfig',
      'context',
      'verbose',
      'no-color',
      'help',
    ],
    notes: [
      'Reads the declarations again when they change and on SIGHUP; SIGTERM ends it cleanly.',
      "Without a file, docker-cd's environment variables (GIT_REPO_URL, …) declare.",
    ],
  },
  {
    name: 'get',
    summary:
      'what the service looks after: apps, stacks, charts, runs, sources; of a cluster: kustomizations, sources git',
    takes: 'WHAT [NAME]',
    least: 1,
    most: 3,
    flags: ['namespace', 'all-namespaces', 'kubeconfig', 'context', ...asking],
    means: { namespace: ofCluster },
    notes: [
      'When no service runs, what it last knew.',
      'get kustomizations and get sources git ask the cluster, in flux-system unless -n or -A is said.',
    ],
  },
  {
    name: 'sync',
    summary: 'have an application of the service applied now',
    takes: 'NAME',
    least: 1,
    most: 1,
    flags: ['wait', 'adopt', 'allow-empty', 'allow-mass-delete', ...onObject],
    means: { namespace: ofCluster },
    notes: [
      'Returns at once; with --wait it tells how it ended. Exits 1 when it failed.',
      'tend diff NAME --adopt says first what would stay and what would be made anew.',
      meant,
      onObjectNote,
    ],
  },
  {
    name: 'suspend',
    summary: 'leave an application of the service as it is until it is resumed',
    takes: 'NAME',
    least: 1,
    most: 1,
    flags: [...onObject],
    means: { namespace: ofCluster },
    notes: [meant, onObjectNote],
  },
  {
    name: 'resume',
    summary: 'look after a suspended application again',
    takes: 'NAME',
    least: 1,
    most: 1,
    flags: [...onObject],
    means: { namespace: ofCluster },
    notes: [meant, onObjectNote],
  },
  {
    name: 'forget',
    summary: 'list an application no more that is gone from its source; what runs of it stays',
    takes: 'NAME',
    least: 1,
    most: 1,
    flags: [...onObject],
    means: { namespace: ofCluster },
    notes: [meant],
  },
  {
    name: 'ack',
    summary: 'accept what waits for an acknowledgement, so that it is put right',
    takes: 'NAME',
    least: 1,
    most: 1,
    flags: ['wait', ...asking],
    notes: [meant],
  },
  {
    name: 'diff',
    summary: 'what a sync would change now, field by field',
    takes: '[kustomization] NAME',
    least: 1,
    most: 2,
    flags: ['exit-code', 'adopt', 'path', 'namespace', 'kubeconfig', 'context', ...asking],
    means: { namespace: ofCluster },
    notes: [
      meant,
      'Of charts that no service looks after: tend plan.',
      'diff kustomization NAME --path ./k8s/…: what files of this machine would change in the cluster, were they pushed.',
    ],
  },
  {
    name: 'token',
    summary: 'tokens for the service: create, list, revoke',
    takes: 'create|list|revoke [ID]',
    least: 1,
    most: 2,
    flags: ['role', 'name', 'app', 'expires', ...asking],
    notes: [
      'A token is told once, when it is made; only its hash is kept.',
      "--app binds it to applications: --role operator --app 'stack:web-*' --expires 30d",
      'The first one can also come from a file: TEND_TOKEN_FILE.',
    ],
  },
  {
    name: 'login',
    summary: 'opens the dashboard in a browser, logged in as whoever types it',
    takes: '',
    least: 0,
    most: 0,
    flags: [...asking],
    notes: [
      'Prints a link that works once, within two minutes, and on a terminal opens it ($BROWSER, xdg-open).',
      'Where the service runs no token is needed; elsewhere --server and TEND_TOKEN say which and who.',
    ],
  },
  {
    name: 'audit',
    summary: 'who asked the service for which change, newest first',
    takes: '',
    least: 0,
    most: 0,
    flags: ['since', 'app', 'who', 'limit', ...asking],
    notes: ['Of this TEND_HOME, whether the service runs or not; with --server over the API.'],
  },
  {
    name: 'db',
    summary: 'the database of the service: migrate, backup, export, import',
    takes: 'migrate|backup|export|import [FILE]',
    least: 1,
    most: 2,
    flags: ['database', 'yes', ...everywhere],
    notes: [
      'migrate: brings its tables up to date, as every start does.',
      'backup FILE: a copy as it is now, also while the service runs (of PostgreSQL: the same as export).',
      'export FILE, import FILE: everything as JSON lines, to move between SQLite and PostgreSQL;',
      '  end the service before. Secrets stay encrypted: take the key along too ($TEND_HOME/key).',
    ],
  },
] as const satisfies readonly Verb[]
