/** Puts clusters of a fleet into a kubeconfig that people use, under the contexts that kind and k3d give them. Pure. */
import { parse } from 'yaml'
import { writeYaml } from '#formats/yaml/write-yaml.ts'
import { recordOf, recordsOf, textOf } from '#model/read-json.ts'
import type { JsonRecord } from '#model/json.ts'

type OwnKubeconfig = {
  readonly name: string
  readonly provider: string
  /** The kubeconfig as its provider prints it. */
  readonly text: string
}

/** `kind-dev`, `k3d-dev`, `kwok-dev`; a cluster that others made has its own name. */
export function contextOf(name: string, provider: string): string {
  return provider === 'existing' ? name : `${provider}-${name}`
}

/** Replaces entries of the same names and keeps all others. The current context stays where there is one. */
export function mergedKubeconfig(into: string, own: readonly OwnKubeconfig[]): string {
  const kept = recordOf(parse(into) ?? {})
  const added = own.map(entriesOf)
  const current = textOf(kept['current-context'])
  return writeYaml({
    ...kept,
    apiVersion: 'v1',
    kind: 'Config',
    clusters: replaced(
      kept['clusters'],
      added.map(({ cluster }) => cluster),
    ),
    users: replaced(
      kept['users'],
      added.map(({ user }) => user),
    ),
    contexts: replaced(
      kept['contexts'],
      added.map(({ context }) => context),
    ),
    'current-context': current === '' ? (textOf(added[0]?.context['name']) ?? '') : current,
  })
}

function entriesOf({ name, provider, text }: OwnKubeconfig) {
  const config = recordOf(parse(text))
  const current = textOf(config['current-context'])
  const context = recordOf(named(config['contexts'], current)['context'])
  const title = contextOf(name, provider)
  const user = provider === 'k3d' ? `admin@${title}` : title
  return {
    cluster: {
      name: title,
      cluster: recordOf(named(config['clusters'], textOf(context['cluster']))['cluster']),
    },
    user: { name: user, user: recordOf(named(config['users'], textOf(context['user']))['user']) },
    context: { name: title, context: { ...context, cluster: title, user } },
  } satisfies Record<string, JsonRecord>
}

function named(list: unknown, name: string): JsonRecord {
  const items = recordsOf(list)
  return items.find((item) => item['name'] === name) ?? items[0] ?? {}
}

function replaced(list: unknown, added: readonly JsonRecord[]): readonly JsonRecord[] {
  const names = new Set(added.map((item) => textOf(item['name'])))
  return [...recordsOf(list).filter((item) => !names.has(textOf(item['name']))), ...added]
}
