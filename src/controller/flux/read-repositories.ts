/** All GitRepositories of a cluster as sources, with the Secrets that they name. */
import type { FluxObject } from './kinds.ts'
import type { Reference, References } from './references.ts'
import {
  readRepository,
  secretNameIn,
  signersNameIn,
  type RepositoryRead,
  type SecretData,
} from './repository.ts'

export function secretsNamedBy(repositories: Iterable<FluxObject>): readonly Reference[] {
  return [...repositories].flatMap(({ namespace, spec }) =>
    [secretNameIn(spec), signersNameIn(spec)]
      .filter((name) => name !== '')
      .map((name) => ({ kind: 'Secret', namespace, name }) as const),
  )
}

/** `held` gets their values, under the names by which sources ask for them. */
export function readRepositories(
  repositories: Iterable<FluxObject>,
  references: Pick<References, 'find'>,
  held: Map<string, string>,
): ReadonlyMap<string, RepositoryRead> {
  function secretOf(namespace: string, name: string): SecretData | undefined {
    const found = name === '' ? undefined : references.find({ kind: 'Secret', namespace, name })
    if (typeof found !== 'object') return undefined
    const { version } = found
    const values = found.values()
    for (const [key, value] of values) {
      held.set(`Secret ${namespace}/${name}, ${key} (${version})`, value)
    }
    const user = values.get('username') ?? 'git'
    return { version, user, has: (key) => found.has(key), keys: [...values.keys()] }
  }

  held.clear()
  const pairs = [...repositories].map((one) => {
    const { namespace, spec } = one
    const secret = secretOf(namespace, secretNameIn(spec))
    const signers = secretOf(namespace, signersNameIn(spec))
    return [one.key, readRepository(one, secret, signers)] as const
  })
  return new Map(pairs)
}
