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
  {
    name: 'role',
    kind: 'text',
    takes: 'ROLE',
    help: 'what it may do: read (viewer), sync (operator) or admin',
  },
  { name: 'name', kind: 'text', takes: 'NAME', help: 'what it is for, as lists show it' },
  {
    name: 'app',
    kind: 'text',
    takes: 'APP',
    isRepeatable: true,
    help: 'the application: stack:web, chart:staging/web; for tokens also a pattern: stack:web-*',
  },
  { name: 'expires', kind: 'text', takes: 'TIME', help: '30d, 12h, or 2027-01-31T12:00:00Z' },
  { name: 'who', kind: 'text', takes: 'NAME', help: 'the name or id of a token or user' },
  { name: 'since', kind: 'text', takes: 'TIME', help: '30m, 24h, 7d, or 2026-01-31T12:00:00Z' },
  {
    name: 'database',
    kind: 'text',
    takes: 'URL',
    help: 'postgres://user@host/name that replicas share (TEND_DATABASE; else tend.db in TEND_HOME)',
  },
  {
    name: 'offer',
    kind: 'text',
    takes: 'ENGINE=ADDRESS',
    isRepeatable: true,
    help: 'what this replica runs applications on: docker=unix:///…, podman=…, kube=CONTEXT, fleet=FILE (what its machine has)',
  },
  { name: 'limit', kind: 'number', takes: 'N', help: 'at most so many, the newest (50)' },
] as const satisfies readonly Flag[]
