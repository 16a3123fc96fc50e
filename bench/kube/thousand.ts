/** A thousand objects as a repository has them: five hundred ConfigMaps, five hundred Deployments, in a namespace of their own. */
import type { JsonRecord } from '#model/json.ts'

export function thousandObjects(namespace: string): readonly JsonRecord[] {
  const numbers = Array.from({ length: 500 }, (_, n) => String(n).padStart(3, '0'))
  return [
    ...numbers.map((n) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `settings-${n}`, namespace },
      data: { level: 'info', number: n, text: 'a line of settings\n'.repeat(5) },
    })),
    ...numbers.map((n) => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: `web-${n}`, namespace, labels: { app: `web-${n}` } },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: `web-${n}` } },
        template: {
          metadata: { labels: { app: `web-${n}` } },
          spec: {
            containers: [
              {
                name: 'web',
                image: `registry.example.com/web:${n}`,
                ports: [{ containerPort: 8080, name: 'http', protocol: 'TCP' }],
                env: [{ name: 'LEVEL', value: 'info' }],
                resources: { requests: { cpu: '10m', memory: '16Mi' } },
              },
            ],
          },
        },
      },
    })),
  ]
}

/** JSON is YAML. */
export function manifestOf(objects: readonly JsonRecord[]): string {
  return objects.map((object) => JSON.stringify(object)).join('\n---\n')
}
