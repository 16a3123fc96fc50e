/** How kustomizations are written in tend.yaml. */
import { kindOfRef } from '#domains/kustomizations/object.ts'
import { readSpec } from '#domains/kustomizations/spec.ts'
import type { KindDeclaration } from '#model/kind-declaration.ts'

const objectName = /^[a-z0-9][a-z0-9.-]{0,62}$/

/** How often its source is asked where nobody reports commits, ms. */
export const usualInterval = 15_000

export const kustomizationDeclaration: KindDeclaration = {
  kind: 'kustomization',
  names: {
    pattern: '^[a-z0-9][a-z0-9.-]*$',
    description: 'A kustomization, by its name',
    fault(name) {
      if (objectName.test(name)) return undefined
      return {
        message: `${JSON.stringify(name)} is not a name`,
        suggestion: 'use small letters, digits, "-" and "."',
      }
    },
  },
  fields: ['namespace', 'spec'],
  ignoreLines,
  namespace: 'flux-system',
  hasTextValues: false,
  usualInterval,
  specFrom(said, { prune, source, path }) {
    const sourceRef = { kind: 'GitRepository', name: source }
    const values = { interval: '1m', prune, sourceRef, path, ...said }
    return { values, faults: readSpec(values).problems }
  },
  /** The spec has these settings in Flux's words. */
  policyFrom(values, policy) {
    const { timeout, retryInterval, prune, suspend } = readSpec(values).spec
    return { ...policy, timeout, retryInterval, prune, suspended: suspend || policy.suspended }
  },
}

/** The lines in Flux's own words. Items of a list have no pointer that lasts, so the whole list is left alone. */
function ignoreLines(ref: string, path: string): readonly string[] {
  const [, ...place] = ref.split('/')
  const { kind } = kindOfRef(ref)
  const [whole = ''] = path.split('[')
  const pointer = whole.split('.').map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))
  return [
    'spec:',
    '  ignore:',
    `    - paths: [${JSON.stringify(`/${pointer.join('/')}`)}]`,
    `      target: { kind: ${kind}, name: ${JSON.stringify(place.at(-1) ?? '')} }`,
  ]
}
