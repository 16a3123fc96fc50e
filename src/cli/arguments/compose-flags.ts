/** Flags of the verbs for Compose stacks, as docker compose spells them where it has them. */
import type { Flag } from './flags.ts'

export const composeFlags = [
  {
    name: 'file',
    short: 'f',
    kind: 'text',
    takes: 'FILE',
    isRepeatable: true,
    help: 'a Compose file; later ones lie over earlier ones (compose.yaml here or above)',
  },
  { name: 'project-name', short: 'p', kind: 'text', takes: 'NAME', help: "the stack's name" },
  {
    name: 'project-directory',
    kind: 'text',
    takes: 'FOLDER',
    help: "where relative paths start (the first file's folder)",
  },
  {
    name: 'env-file',
    kind: 'text',
    takes: 'FILE',
    isRepeatable: true,
    help: 'variables for interpolation, in place of .env',
  },
  {
    name: 'profile',
    kind: 'text',
    takes: 'NAME',
    isRepeatable: true,
    help: 'also services of this profile; "*" for all',
  },
  {
    name: 'use-env',
    kind: 'switch',
    help: 'interpolation sees the environment of this command',
  },
  {
    name: 'allow-outside',
    kind: 'switch',
    help: "files and binds may lie outside the project's folder",
  },
  {
    name: 'compose-version',
    kind: 'text',
    takes: 'VERSION',
    help: "the docker compose to be like (this machine's, else 5)",
  },
  {
    name: 'adopt',
    kind: 'switch',
    help: 'take over what docker compose started, recreating only what differs',
  },
  {
    name: 'scale',
    kind: 'text',
    takes: 'SERVICE=N',
    isRepeatable: true,
    help: 'so many containers of a service',
  },
  { name: 'build', kind: 'switch', help: 'build images anew, also when nothing changed' },
  {
    name: 'detach',
    short: 'd',
    kind: 'switch',
    help: 'as always: tend up does not stay (tend compose logs --follow does)',
  },
  { name: 'pull', kind: 'text', takes: 'WHEN', help: 'always, missing or never' },
  { name: 'volumes', kind: 'switch', help: 'also remove the volumes, with their data' },
  { name: 'format', kind: 'text', takes: 'FORMAT', help: 'yaml or json (yaml)' },
  { name: 'hash', kind: 'switch', help: "each service's hash in place of the model" },
  { name: 'services', kind: 'switch', help: 'only the names of the services' },
  { name: 'quiet', short: 'q', kind: 'switch', help: 'print nothing, only check' },
  { name: 'no-interpolate', kind: 'switch', help: 'leave variables as they are written' },
  { name: 'no-normalize', kind: 'switch', help: 'leave out what Compose adds by itself' },
  { name: 'no-consistency', kind: 'switch', help: 'do not check that parts fit together' },
  { name: 'no-path-resolution', kind: 'switch', help: 'leave relative paths as they are' },
] as const satisfies readonly Flag[]
