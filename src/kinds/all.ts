/** Every kind of application that Tend knows, one line each. */
import type { Application } from '#model/application.ts'
import type {
  ApplicationKind,
  KindAround,
  KindSchemas,
  LoadedKind,
} from '#model/application-kind.ts'
import type { KindDeclaration } from '#model/kind-declaration.ts'
import { charts } from './charts.ts'
import { fleet } from './fleet.ts'
import { kustomizations } from './kustomizations.ts'
import { stacks } from './stacks.ts'

export const allKinds: readonly ApplicationKind[] = [stacks, charts, kustomizations, fleet]

/** The kind that is meant where a command names none. The first verbs were those of charts. */
export const usualKind = charts

/** Throws for a name that no kind has: the store may hold an application of a newer Tend. */
export function kindNamed(name: string): ApplicationKind {
  const found = allKinds.find((one) => one.name === name)
  if (found !== undefined) return found
  throw new TypeError(`there is no kind of application called ${name}`)
}

export function wordsFor({ kind }: Pick<Application, 'kind'>): ApplicationKind['words'] {
  return kindNamed(kind).words
}

/** Whether objects of a cluster declare the application. It is then looked at by the service that follows the cluster, and not from here. */
export function isOfCluster({ kind }: Pick<Application, 'kind'>): boolean {
  return allKinds.find(({ name }) => name === kind)?.objects !== undefined
}

/** What `tend get` calls applications of the kinds that the shared verbs look after. */
export const installedPlurals: readonly string[] = allKinds
  .filter((kind) => kind.load !== undefined && kind.hasOwnVerbs !== true)
  .map(({ words }) => words.plural)

/** The kinds that can run on any target. Without `around`: only those that need to know nothing about this process. */
export async function loadKinds(around?: KindAround): Promise<readonly LoadedKind[]> {
  const loaded = await Promise.all(allKinds.map(async (kind) => kind.load?.(around)))
  return loaded.filter((kind) => kind !== undefined)
}

/** The JSON Schemas of all kinds together. */
export async function loadSchemas(): Promise<KindSchemas> {
  const loaded = await Promise.all(allKinds.map(async (kind) => kind.schemas?.()))
  const all = loaded.filter((schemas) => schemas !== undefined)
  return {
    names: all.flatMap(({ names }) => names),
    schema: (name) => all.map((one) => one.schema(name)).find((found) => found !== undefined),
  }
}

/** How tend.yaml declares applications, for each kind. */
export async function loadDeclarations(): Promise<readonly KindDeclaration[]> {
  const loaded = await Promise.all(allKinds.map(async (kind) => kind.declaration?.()))
  return loaded.filter((declaration) => declaration !== undefined)
}
