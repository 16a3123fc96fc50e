/** The verbs for fleets: what each takes, which flags it knows, what help says of it. */
import type { Verb } from './verbs.ts'

const everywhere = ['db', 'config', 'report', 'output', 'verbose', 'no-color', 'help'] as const
const place = ['node-port', 'pf-port', 'http-port', 'https-port', 'subnet'] as const
const registrations = ['route', 'portainer', 'argocd', 'git'] as const

export const fleetVerbs = [
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
    flags: [...everywhere],
  },
] as const satisfies readonly Verb[]
