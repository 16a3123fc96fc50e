/** The verbs behind `tend kube`. */
import type { Verb } from './verbs.ts'

const cluster = ['kubeconfig', 'context', 'verbose', 'no-color', 'help'] as const

export const kubeVerbs = [
  {
    name: 'kube install',
    summary: "put Flux's kinds, rights and Tend itself into a cluster",
    takes: '',
    least: 0,
    most: 0,
    flags: ['image', 'kinds', 'tenants', 'export', ...cluster],
    notes: ['Refuses while Flux is at work there. What is there already is brought up to date.'],
  },
  {
    name: 'kube check',
    summary: 'whether everything is there that Tend needs in a cluster',
    takes: '',
    least: 0,
    most: 0,
    flags: ['output', ...cluster],
    notes: ['Exits 1 when something is missing, and says what to do.'],
  },
] as const satisfies readonly Verb[]
