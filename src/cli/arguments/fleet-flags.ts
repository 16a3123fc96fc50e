/** Flags of the verbs for fleets. Where the original program has the same flag, it is spelt the same. */
import type { Flag } from './flags.ts'

export const fleetFlags = [
  {
    name: 'db',
    kind: 'text',
    takes: 'FILE',
    help: 'the database with the clusters table (TEND_FLEET_DB, or fleet.db in TEND_HOME)',
  },
  {
    name: 'import',
    kind: 'text',
    takes: 'FILE',
    help: 'also take the rows of an environments.csv; rows that are there stay as they are',
  },
  { name: 'provider', kind: 'text', takes: 'NAME', help: 'kind, k3d, kwok or existing' },
  {
    name: 'node-port',
    kind: 'number',
    takes: 'PORT',
    help: 'where services come in, inside the cluster (30080)',
  },
  { name: 'pf-port', kind: 'number', takes: 'PORT', help: 'for port forwards (a free one)' },
  { name: 'http-port', kind: 'number', takes: 'PORT', help: "the host's port to 80 (a free one)" },
  {
    name: 'https-port',
    kind: 'number',
    takes: 'PORT',
    help: "the host's port to 443 (a free one)",
  },
  {
    name: 'subnet',
    kind: 'text',
    takes: 'CIDR',
    help: 'a network of its own: 10.101.0.0/16, or auto for a free one (the shared network)',
  },
  { name: 'route', kind: 'switch', help: 'route requests to it (--no-route: do not)' },
  { name: 'portainer', kind: 'switch', help: 'register it in Portainer (--no-portainer)' },
  { name: 'argocd', kind: 'switch', help: 'register it in Argo CD (--no-argocd)' },
  { name: 'git', kind: 'switch', help: 'keep a branch for it (--no-git)' },
  { name: 'from-db', kind: 'switch', help: 'make reality match the table' },
  {
    name: 'prune-missing',
    kind: 'switch',
    help: 'remove rows whose clusters are certainly missing; with --from-db only absent ones',
  },
  {
    name: 'recreate',
    kind: 'switch',
    help: 'make clusters anew that no longer match their row, losing what runs in them',
  },
  { name: 'history-file', kind: 'text', takes: 'FILE', help: 'a line of JSON for each run' },
  { name: 'merge', kind: 'switch', help: 'put clusters into the kubeconfig that kubectl uses' },
  { name: 'last-run', kind: 'switch', help: 'show the last line of the history and do nothing' },
  { name: 'json', kind: 'switch', help: 'as JSON (the same as -o json)' },
  { name: 'loop', kind: 'switch', help: 'again and again, every --interval' },
  { name: 'once', kind: 'switch', help: 'one pass (the same as --loop --max-runs 1)' },
  { name: 'max-runs', kind: 'number', takes: 'N', help: 'with --loop: so many passes' },
  { name: 'all', kind: 'switch', help: 'also clusters of the table that Tend did not make' },
  {
    name: 'require',
    kind: 'text',
    takes: 'COUNTS',
    help: 'how many declared clusters must stand (kind=3,k3d=3)',
  },
  { name: 'log', kind: 'text', takes: 'FILE', help: 'what is printed, also as a file' },
  { name: 'report', kind: 'text', takes: 'FILE', help: 'where a summary is put at the end' },
] as const satisfies readonly Flag[]
