/** Words of neighbouring tools (docker compose, Helm): what they are called here, or what to do in their place. */
import type { VerbName } from './verbs.ts'

export const cousins: Readonly<Record<string, VerbName>> = {
  add: 'install',
  apply: 'upgrade',
  create: 'install',
  delete: 'uninstall',
  log: 'logs',
  ls: 'list',
  preview: 'plan',
  ps: 'status',
  remove: 'uninstall',
  render: 'template',
  rm: 'uninstall',
  undo: 'rollback',
  update: 'upgrade',
  validate: 'lint',
  'compose apply': 'compose up',
  'compose convert': 'compose config',
  'compose create': 'compose up',
  'compose log': 'compose logs',
  'compose ls': 'list',
  'compose reinit': 'reinit',
  'compose remove': 'compose down',
  'compose rm': 'compose down',
  'compose undo': 'compose rollback',
  'fleet apply': 'fleet reconcile',
  'fleet check': 'fleet validate',
  'fleet create': 'fleet add',
  'fleet delete': 'fleet rm',
  'fleet destroy': 'fleet clean',
  'fleet get': 'fleet list',
  'fleet import': 'fleet adopt',
  'fleet ls': 'fleet list',
  'fleet ps': 'fleet verify',
  'fleet remove': 'fleet rm',
  'fleet status': 'fleet verify',
  'fleet sync': 'fleet reconcile',
}

/** Advice for verbs that Tend does not have, where there is something better than a guess at the spelling. */
export function adviceOnVerb(typed: string): string | undefined {
  const isCompose = typed.startsWith('compose ')
  const word = isCompose ? typed.slice('compose '.length) : typed
  const own = isCompose || !onlyCompose.has(word) ? verbAdvice[word] : undefined
  if (own !== undefined) return own
  const other = isCompose ? `docker compose -p NAME ${word}` : `podman ${word} or docker ${word}`
  const asDocker = `${other} works on the containers that Tend made`
  return dockerVerbs.has(word) ? `Tend has no ${word}; ${asDocker}` : undefined
}

const verbAdvice: Readonly<Record<string, string>> = {
  build: 'tend up builds what changed by itself; tend up --build builds anew in any case',
  pull: 'tend up pulls what is missing; tend up --pull always asks the registry for every image',
  scale: 'say it when it is brought up: tend up --scale SERVICE=N',
  reconcile: 'tend sync NAME has an application of the service applied now',
}

const onlyCompose: ReadonlySet<string> = new Set(['scale'])

const dockerVerbs: ReadonlySet<string> = new Set(
  'attach commit cp events exec export kill pause port push restart run start stats stop unpause wait'.split(
    ' ',
  ),
)

/** Advice for flags of those tools, by verb. */
export function adviceOnFlag(verb: string, typed: string): string | undefined {
  return flagAdvice[`${verb} ${typed}`]
}

const orphans = 'leave it out: what is no longer declared is removed anyway, save volumes'
const changed = 'leave it out: only what differs is made anew, and tend compose status says so'

const flagAdvice: Readonly<Record<string, string>> = {
  'compose up --remove-orphans': orphans,
  'compose down --remove-orphans': orphans,
  'compose up --force-recreate': changed,
  'compose up --no-recreate': changed,
  'compose up --no-deps': 'leave it out: what a service depends on is touched only if it differs',
  'compose up --no-build': 'leave it out: what is unchanged is not built again',
  'compose up --quiet-pull': 'leave it out: a pull is shown on one line, and only on a terminal',
  'compose up --renew-anon-volumes': 'remove the container first, or declare the volume by name',
  'compose up -V': 'remove the container first, or declare the volume by name',
  'compose up --volumes': 'tend up --prune-volumes removes volumes that are no longer declared',
  'compose down --rmi': 'images stay; remove those that nothing uses with: docker image prune -a',
  'compose down --prune-volumes': 'here it is --volumes',
  'compose logs -n': 'write --tail N',
  'logs -n': 'write --tail N',
  'upgrade --install': 'leave it out: tend upgrade installs what is not installed yet',
  'upgrade -i': 'leave it out: tend upgrade installs what is not installed yet',
  'install --create-namespace': 'leave it out: a namespace needs no making',
  'upgrade --create-namespace': 'leave it out: a namespace needs no making',
  'upgrade --reuse-values': 'leave it out: without values flags those of the last run are used',
  'uninstall --volumes': 'here it is --prune-volumes',
}
