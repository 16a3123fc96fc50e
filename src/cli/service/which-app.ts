/** Finds the application that a word means: by its key, or by a name that only one has. */
import { Problem } from '#model/problem.ts'
import type { AppStatus } from '#model/service.ts'
import { closest } from '../arguments/closest.ts'
import { kustomizationIn } from '../arguments/object-names.ts'
import { defined } from '#model/defined.ts'

type Named = Pick<AppStatus, 'key' | 'application'>

export function whichApp<App extends Named>(word: string, apps: readonly App[]): App {
  const exact = apps.find(({ key }) => key === word)
  if (exact !== undefined) return exact
  const found = apps.filter(({ application }) => namesOf(application).includes(word))
  if (found.length === 1) return defined(found[0])
  if (found.length > 1) {
    const keys = found.map(({ key }) => key).join(' or ')
    throw problem(`${JSON.stringify(word)} may mean several applications`, `write ${keys}`)
  }
  const names = apps.flatMap(({ key, application }) => [...namesOf(application), key])
  const meant = closest(word, names)
  const message = `the service has no application ${JSON.stringify(word)}`
  if (meant !== undefined) throw problem(message, `did you mean ${meant}? tend get apps lists all`)
  throw problem(
    message,
    apps.length === 0 ? 'it has none at all: declare some' : 'tend get apps lists them',
  )
}

/** The word together with the namespace that was given beside it. */
export function nameWith(namespace: string | null, word: string): string {
  if (namespace === null || word.includes(':')) return word
  const object = kustomizationIn(word)
  if (object === undefined) return word.includes('/') ? word : `${namespace}/${word}`
  return `kustomization/${object.namespace ?? namespace}/${object.name}`
}

/** `web`, `staging/web`, `kustomization/web`. */
function namesOf({ kind, name, namespace }: Named['application']): readonly string[] {
  const names = namespace === null ? [name] : [name, `${namespace}/${name}`]
  return [...names, ...names.map((each) => `${kind}/${each}`)]
}

function problem(message: string, suggestion: string): Problem {
  return new Problem({ type: 'configuration', code: 'not_found', message, suggestion })
}
