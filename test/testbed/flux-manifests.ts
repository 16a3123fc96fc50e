/** Manifests for repositories of tests. */

export const overlay = `resources:
- ../../../base
labels:
- pairs: { tier: front }
replicas:
- { name: web, count: 2 }
`

export function deployment(image: string, template = ''): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: default }
spec:
  replicas: 1
  selector: { matchLabels: { app: web } }
  template:
    metadata:
      labels: { app: web }${template}
    spec: { containers: [{ name: web, image: '${image}' }] }
`
}

/** With a field that there is not. */
export function wrong(image: string): string {
  return deployment(image).replace('containers: [{', 'containers: [{ nonsense: true,')
}
