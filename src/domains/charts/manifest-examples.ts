/** A manifest of each kind, for the JSON Schemas that editors show; a test reads them with the schemas themselves. */
import type { ChartKind } from './render/schema/kinds.ts'

const apiVersion = 'cutepod/v1alpha0'

export const manifestExamples: Readonly<Record<ChartKind, unknown>> = {
  network: {
    apiVersion,
    kind: 'CuteNetwork',
    metadata: { name: 'back' },
    spec: { driver: 'bridge' },
  },
  volume: {
    apiVersion,
    kind: 'CuteVolume',
    metadata: { name: 'data' },
    spec: { type: 'volume' },
  },
  secret: {
    apiVersion,
    kind: 'CuteSecret',
    metadata: { name: 'words' },
    spec: { stringData: { GREETING: 'hello' } },
  },
  pod: {
    apiVersion,
    kind: 'CutePod',
    metadata: { name: 'shop' },
    spec: { containers: ['web', 'proxy'], restartPolicy: 'Always' },
  },
  container: {
    apiVersion,
    kind: 'CuteContainer',
    metadata: { name: 'web' },
    spec: {
      image: 'docker.io/library/nginx:1.27',
      ports: [{ containerPort: 80, hostPort: 8080 }],
      volumes: [{ name: 'data', mountPath: '/usr/share/nginx/html', readOnly: true }],
      networks: ['back'],
      secrets: [{ name: 'words', env: true }],
      dependsOn: [{ name: 'db', condition: 'healthy' }],
      health: { type: 'http', httpGet: { path: '/', port: 80 }, intervalSeconds: 5 },
      restartPolicy: 'Always',
    },
  },
}
