/** Flags of the service and of the verbs that talk to it. */
import type { Flag } from './flags.ts'

export const serviceFlags = [
  {
    name: 'config',
    short: 'c',
    kind: 'text',
    takes: 'FILE|FOLDER',
    isRepeatable: true,
    help: 'what declares: tend.yaml, or a folder of *.yaml (./tend.yaml, then /etc/tend)',
  },
  {
    name: 'listen',
    kind: 'text',
    takes: 'HOST:PORT',
    help: 'where the service answers (127.0.0.1:8080)',
  },
  {
    name: 'server',
    kind: 'text',
    takes: 'URL',
    help: 'the service to ask (TEND_SERVER, else the one that runs here)',
  },
  { name: 'role', kind: 'text', takes: 'ROLE', help: 'what it may do: read, sync or admin' },
  { name: 'name', kind: 'text', takes: 'NAME', help: 'what it is for, as lists show it' },
] as const satisfies readonly Flag[]
