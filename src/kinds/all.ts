/** Every kind of application that Tend knows, one line each. */
import type { Application } from '#model/application.ts'
import type { ApplicationKind, LoadedKind } from '#model/application-kind.ts'
import type { KindDeclaration } from '#model/kind-declaration.ts'
import { charts } from './charts.ts'
import { fleet } from './fleet.ts'
import { kustomizations } from './kustomizations.ts'
import { stacks } from './stacks.ts'

export const allKinds: readonly ApplicationKind[] = [stacks, charts, kustomizations, fleet]

/** Throws for a name that no kind has: the store may hold one of a newer Tend. */
export function kindNamed(name: string): ApplicationKind {
  const found = allKinds.find((one) => one.name === name)
  if (found !== undefined) return found
  throw new TypeError(`there is no kind of application called ${name}`)
}

export function wordsFor({ kind }: Pick<Application, 'kind'>): ApplicationKind['words'] {
  return kindNamed(kind).words
}

/** Those that can be run wherever a target says. */
export async function loadKinds(): Promise<readonly LoadedKind[]> {
  const loaded = await Promise.all(allKinds.map(async (kind) => kind.load?.()))
  return loaded.filter((kind) => kind !== undefined)
}

/** How tend.yaml tells of applications, kind by kind. */
export async function loadDeclarations(): Promise<readonly KindDeclaration[]> {
  const loaded = await Promise.all(allKinds.map(async (kind) => kind.declaration?.()))
  return loaded.filter((declaration) => declaration !== undefined)
}
