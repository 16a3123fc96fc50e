/** Help, made from the tables of verbs and flags. */
import { composeVerbs } from './compose-verbs.ts'
import { containerVerbs } from './container-verbs.ts'
import { isGroupWord, type GroupWord } from './find-verb.ts'
import { fleetVerbs } from './fleet-verbs.ts'
import { kustomizeVerbs } from './kustomize-verbs.ts'
import { flagOf, type Flag } from './flags.ts'
import { kubeVerbs } from './kube-verbs.ts'
import { serviceVerbs } from './service-verbs.ts'
import { verbOf, verbs, type Verb, type VerbName } from './verbs.ts'
import { defined } from '#model/defined.ts'

export function generalHelp(): readonly string[] {
  const own: readonly Verb[] = verbs.filter(
    ({ name }) =>
      !isGroupWord(name.split(' ')[0]) && !serviceVerbs.some((verb) => verb.name === name),
  )
  return [
    'Tend keeps running things as they were declared: charts on Podman, Compose stacks on Docker',
    'and Podman, kustomizations on Kubernetes, fleets of clusters.',
    '',
    'Usage: tend VERB [ARGUMENTS] [FLAGS]',
    '',
    ...summaries([...own, ...ofGroups, ...serviceVerbs]),
    '',
    'First steps:',
    '  tend install ./my-app      make what ./my-app declares',
    '  tend plan ./my-app         what would change',
    '  tend status my-app         how it is',
    '  tend up -f compose.yaml    make what a Compose file declares',
    '  tend serve -c tend.yaml    keep what Git repositories declare running',
    '',
    'Where things are: TEND_HOME (history, keys); --target, CONTAINER_HOST or PODMAN_SOCK (Podman),',
    'DOCKER_HOST (Docker).',
    'tend VERB --help tells more of each verb.',
  ]
}

const ofGroups = [
  { name: 'up', summary: 'make what a Compose file declares (compose up)' },
  { name: 'down', summary: 'remove what a stack made; its volumes stay (compose down)' },
  { name: 'compose', summary: 'more for Compose stacks: tend compose --help' },
  { name: 'kustomize', summary: 'build kustomizations: tend kustomize --help' },
  {
    name: 'fleet',
    summary: 'clusters from a table, with routes and registrations: tend fleet --help',
  },
  { name: 'kube', summary: "Kubernetes from Git by Flux's objects: tend kube --help" },
] as const

export function verbHelp(name: VerbName | GroupWord): readonly string[] {
  if (isGroupWord(name)) return groupHelp[name]()
  const verb = defined(verbOf(name))
  const flags = verb.flags.map((flag): Flag => {
    const meaning = verb.means?.[flag]
    return {
      ...flagOf(flag),
      ...(meaning === undefined ? {} : { isRepeatable: false, ...meaning }),
    }
  })
  const left = flags.map(written)
  const width = widest(left)
  return [
    `Usage: tend ${verb.name}${verb.takes === '' ? '' : ` ${verb.takes}`} [FLAGS]`,
    '',
    `${verb.summary.slice(0, 1).toUpperCase()}${verb.summary.slice(1)}.`,
    ...(verb.notes ?? []),
    '',
    ...flags.map((flag, index) => `  ${defined(left[index]).padEnd(width)}  ${flag.help}`),
  ]
}

const groupHelp = {
  compose: composeHelp,
  kustomize: kustomizeHelp,
  fleet: fleetHelp,
  kube: kubeHelp,
} as const

function kustomizeHelp(): readonly string[] {
  return [
    'Kustomizations without kustomize.',
    '',
    'Usage: tend kustomize VERB [FLAGS]',
    '',
    ...summaries(
      kustomizeVerbs.map((verb) => ({ ...verb, name: defined(verb.name.split(' ')[1]) })),
    ),
    '',
    'tend kustomize VERB --help tells more of each verb.',
  ]
}

function kubeHelp(): readonly string[] {
  return [
    "Kubernetes from Git, by Flux's own objects.",
    '',
    'Usage: tend kube VERB [--kubeconfig FILE] [--context NAME] [FLAGS]',
    '',
    ...summaries(kubeVerbs.map((verb) => ({ ...verb, name: defined(verb.name.split(' ')[1]) }))),
    '',
    'The controller: tend serve --kube. What it looks after: tend get kustomizations, tend get sources git.',
    'tend kube VERB --help tells more of each verb.',
  ]
}

function composeHelp(): readonly string[] {
  return [
    'Compose stacks on Docker and Podman, without docker compose.',
    '',
    'Usage: tend compose VERB [-f FILE] [-p NAME] [FLAGS]',
    '',
    ...summaries(
      [...composeVerbs, ...containerVerbs].map((verb) => ({
        ...verb,
        name: defined(verb.name.split(' ')[1]),
      })),
    ),
    '',
    'tend compose VERB --help tells more of each verb.',
  ]
}

function fleetHelp(): readonly string[] {
  return [
    'A fleet of clusters as a table declares it: clusters, routes, registrations.',
    '',
    'Usage: tend fleet VERB [--db FILE] [FLAGS]',
    '',
    ...summaries(fleetVerbs.map((verb) => ({ ...verb, name: defined(verb.name.split(' ')[1]) }))),
    '',
    'The cycle: clean, bootstrap, reconcile --from-db, validate.',
    'tend fleet VERB --help tells more of each verb.',
  ]
}

function summaries(list: readonly Pick<Verb, 'name' | 'summary'>[]): readonly string[] {
  const width = widest(list.map(({ name }) => name))
  return list.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
}

/** "-o, --output FORMAT" */
function written({ name, short, takes, isRepeatable }: Flag): string {
  const brief = short === undefined ? '    ' : `-${short}, `
  const value = takes === undefined ? '' : ` ${takes}${isRepeatable === true ? ' ...' : ''}`
  return `${brief}--${name}${value}`
}

function widest(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, text.length), 0)
}
