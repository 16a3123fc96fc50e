/** What a rendered or live object is called, and what its author says about how it is to be treated. */
import { recordOf, textMapOf, textOf } from '#model/read-json.ts'
import type { JsonRecord } from '#model/json.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import type { Value } from '#model/value.ts'

export type ObjectName = {
  readonly apiVersion: string
  readonly group: string
  readonly kind: string
  /** Nothing where the object names none. */
  readonly namespace: string
  readonly name: string
}

/** Secrets are values of `data`, never part of a name or a label: any part but those reads as plain JSON. */
export function nameOfObject(object: Value): ObjectName {
  const fields = recordOf(object)
  const metadata = recordOf(fields['metadata'])
  const apiVersion = textOf(fields['apiVersion'])
  return {
    apiVersion,
    group: apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '',
    kind: textOf(fields['kind']),
    namespace: textOf(metadata['namespace']),
    name: textOf(metadata['name']),
  }
}

/** `Deployment.apps/default/web`, `ConfigMap/default/web`, `Namespace/apps`. Versions of a kind are one object. */
export function refOfObject({ group, kind, namespace, name }: ObjectName): Ref {
  const place = namespace === '' ? name : `${namespace}/${name}`
  return `${kind}${group === '' ? '' : `.${group}`}/${place}`
}

type KindName = Pick<ObjectName, 'group' | 'kind'>

export function kindOfRef(ref: Ref): KindName {
  const [kind = '', ...group] = kindOf(ref).split('.')
  return { kind, group: group.join('.') }
}

export function namespaceRef(name: string): Ref {
  return `Namespace/${name}`
}

/** As people say it. */
export function wordsOfObject({ kind, namespace, name }: ObjectName): string {
  return namespace === '' ? `${kind} ${name}` : `${kind} ${namespace}/${name}`
}

const prefix = 'kustomize.toolkit.fluxcd.io'
export const ownerName = `${prefix}/name`
export const ownerNamespace = `${prefix}/namespace`
/** Flux's own: a cluster that it managed is taken over without a change. */
export const manager = 'kustomize-controller'

export type Owner = { readonly namespace: string; readonly name: string }

export function ownerSelector({ namespace, name }: Owner): string {
  return `${ownerName}=${name},${ownerNamespace}=${namespace}`
}

export function ownerLabels({ namespace, name }: Owner): Readonly<Record<string, string>> {
  return { [ownerName]: name, [ownerNamespace]: namespace }
}

export function isOwnedBy(object: JsonRecord, { namespace, name }: Owner): boolean {
  const labels = textMapOf(recordOf(object['metadata'])['labels'])
  return labels[ownerName] === name && labels[ownerNamespace] === namespace
}

/** The set that has it, as its labels say. */
export function ownerIn(object: JsonRecord): Owner | undefined {
  const labels = textMapOf(recordOf(object['metadata'])['labels'])
  const [name, namespace] = [labels[ownerName], labels[ownerNamespace]]
  return name === undefined || namespace === undefined ? undefined : { namespace, name }
}

type ObjectPolicy = {
  /** Neither applied nor pruned. */
  readonly isLeftAlone: boolean
  readonly isMadeOnce: boolean
  /** Fields of others are not taken from them. */
  readonly isMerged: boolean
  readonly isPruned: boolean
  readonly isForced: boolean
}

/** Labels and annotations count alike, in whatever case, as in Flux. */
export function wishesOf(object: Value): ObjectPolicy {
  const metadata = recordOf(recordOf(object)['metadata'])
  const said = { ...textMapOf(metadata['labels']), ...textMapOf(metadata['annotations']) }
  const is = (key: string, value: string) => said[`${prefix}/${key}`]?.toLowerCase() === value
  const isLeftAlone = is('reconcile', 'disabled') || is('ssa', 'ignore')
  return {
    isLeftAlone,
    isMadeOnce: is('ssa', 'ifnotpresent'),
    isMerged: is('ssa', 'merge'),
    isPruned: !isLeftAlone && !is('prune', 'disabled'),
    isForced: is('force', 'enabled'),
  }
}

export function isSecret({ group, kind }: ObjectName): boolean {
  return group === '' && kind === 'Secret'
}

export function isDefinition({ group, kind }: KindName): boolean {
  return group === 'apiextensions.k8s.io' && kind === 'CustomResourceDefinition'
}

/** Taking one away takes away what others put there: never done on the way back. */
export function holdsOthers(name: KindName): boolean {
  const isCore = name.group === '' && ['Namespace', 'PersistentVolumeClaim'].includes(name.kind)
  return isCore || isDefinition(name)
}
