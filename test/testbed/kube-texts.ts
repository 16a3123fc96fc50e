/** Objects as people write them, for tests of the kustomizations. */

export function configMap(name: string, value: string, more = ''): string {
  return `apiVersion: v1
kind: ConfigMap
metadata: { name: ${name}, namespace: default${more} }
data: { key: ${value} }
`
}

export function deploymentText(name: string, image: string, more = ''): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: default }
spec:
  replicas: 1
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} }${more} }
    spec: { containers: [{ name: web, image: '${image}' }] }
`
}

/** Any fields at all. */
export function definitionText(plural: string, kind: string): string {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${plural}.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: ${plural}, singular: ${kind.toLowerCase()}, kind: ${kind}, listKind: ${kind}List }
  versions:
  - name: v1
    served: true
    storage: true
    subresources: { status: {} }
    schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`
}

export function says(key: string, value: string): string {
  return `, annotations: { kustomize.toolkit.fluxcd.io/${key}: ${value} }`
}
