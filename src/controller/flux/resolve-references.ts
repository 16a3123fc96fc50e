/** What a Kustomization's spec only names: variables, keys, another cluster. Gathered before a render, never logged. */
import { createHmac, randomBytes } from 'node:crypto'
import type { KustomizationSpec } from '#domains/kustomizations/spec.ts'
import { nothingGathered, type Gathered } from '#kinds/kustomizations/gathered.ts'
import { Problem } from '#model/problem.ts'
import { keyOf, type Reference, type Referenced, type References } from './references.ts'

export type { Gathered }

export function referencesOf(spec: KustomizationSpec, namespace: string): readonly Reference[] {
  const { postBuild, decryption, kubeConfig } = spec
  const variables = postBuild.substituteFrom.map(({ kind, name }) => ({ kind, namespace, name }))
  const keys: Reference[] =
    decryption === undefined || decryption.secretRef === ''
      ? []
      : [{ kind: 'Secret', namespace, name: decryption.secretRef }]
  const clusters = kubeConfig === undefined ? [] : [{ ...kubeConfig, namespace }]
  return [...variables, ...keys, ...clusters.map(({ kind, name }) => ({ kind, namespace, name }))]
}

/** Marks are of one process: no one learns from the database whether a secret is the one he guesses. */
const salt = randomBytes(16)

export function resolveReferences(
  spec: KustomizationSpec,
  namespace: string,
  references: References,
): Gathered {
  const variables = new Map<string, string>()
  const secretVariables = new Set<string>()
  const versions: string[] = []
  function found(reference: Reference, isOptional = false): Referenced | undefined {
    const one = references.find(reference)
    if (typeof one === 'object') {
      versions.push(`${keyOf(reference)} ${one.version}`)
      return one
    }
    if (one === undefined && isOptional) return undefined
    throw missing(reference, one)
  }
  let kubeConfig: string | undefined
  try {
    // the cluster first: what else is missing must not hide which one is meant
    kubeConfig = kubeConfigIn(spec, namespace, found)
    for (const { kind, name, optional } of spec.postBuild.substituteFrom) {
      const one = found({ kind, namespace, name }, optional)
      for (const [key, value] of one?.values() ?? []) {
        variables.set(key, value.replaceAll('\n', ''))
        if (kind === 'Secret') secretVariables.add(key)
        else secretVariables.delete(key)
      }
    }
    const ageKeys = ageKeysIn(spec, namespace, found)
    const mark = createHmac('sha256', salt).update(versions.join('\n')).digest('hex').slice(0, 20)
    return {
      surroundings: { variables, secretVariables, ageKeys },
      kubeConfig,
      mark: versions.length === 0 ? '' : mark,
      problem: undefined,
    }
  } catch (thrown) {
    if (!(thrown instanceof Problem)) throw thrown
    return { ...nothingGathered, kubeConfig, mark: thrown.message, problem: thrown }
  }
}

type Find = (reference: Reference, isOptional?: boolean) => Referenced | undefined

function ageKeysIn({ decryption }: KustomizationSpec, namespace: string, find: Find) {
  if (decryption === undefined || decryption.secretRef === '') return []
  const values = find({ kind: 'Secret', namespace, name: decryption.secretRef })?.values()
  return [...(values ?? [])].flatMap(([key, text]) =>
    key.endsWith('.agekey') ? (text.match(/AGE-SECRET-KEY-1[0-9A-Z]+/g) ?? []) : [],
  )
}

function kubeConfigIn({ kubeConfig }: KustomizationSpec, namespace: string, find: Find) {
  if (kubeConfig === undefined) return undefined
  const { kind, name } = kubeConfig
  if (kind === 'ConfigMap') {
    const message = 'spec.kubeConfig.configMapRef is not supported by Tend'
    throw new Problem({ type: 'configuration', code: 'unsupported', message })
  }
  const values = find({ kind, namespace, name })?.values()
  const text =
    kubeConfig.key === ''
      ? (values?.get('value') ?? values?.get('value.yaml'))
      : values?.get(kubeConfig.key)
  if (text !== undefined) return text
  const key = kubeConfig.key === '' ? 'value or value.yaml' : kubeConfig.key
  const message = `Secret '${namespace}/${name}' holds no kubeconfig under ${key}`
  throw new Problem({ type: 'configuration', code: 'bad_reference', message })
}

function missing({ kind, namespace, name }: Reference, why: string | undefined): Problem {
  const message = `${kind} '${namespace}/${name}' ${why === undefined ? 'not found' : `can't be read: ${why}`}`
  return new Problem({ type: 'configuration', code: 'bad_reference', message })
}
