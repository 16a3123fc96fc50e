/** Manifests with the fields that everyday ones lack, so that each field has an example for editors; a test reads them with the schemas themselves. */

const apiVersion = 'cutepod/v1alpha0'
const annotations = { 'example.org/team': 'shop' }
const extraHosts = { 'db.example.org': '10.0.0.1' }
const sysctl = { 'net.core.somaxconn': 1024 }
const metadata = (name: string) => ({ name, labels: { tier: 'back' }, annotations })
const port = { containerPort: 80, hostPort: 8080, hostIP: '127.0.0.1', name: 'http' }
const mapping = { containerID: 0, hostID: 100_000, size: 1000 }

export const furtherExamples: readonly unknown[] = [
  {
    apiVersion,
    kind: 'CuteNetwork',
    metadata: metadata('back'),
    spec: { driver: 'bridge', gateway: '10.89.7.1', options: { mtu: 1400 } },
  },
  {
    apiVersion,
    kind: 'CuteVolume',
    metadata: metadata('data'),
    spec: {
      type: 'volume',
      volume: { driver: 'local', options: { type: 'tmpfs' } },
      driver: 'local',
      options: { type: 'tmpfs' },
      securityContext: { owner: { user: 1000, group: 1000 } },
    },
  },
  {
    apiVersion,
    kind: 'CuteVolume',
    metadata: metadata('media'),
    spec: { type: 'hostPath', hostPath: { path: '/srv/media', type: 'Directory' } },
  },
  {
    apiVersion,
    kind: 'CuteSecret',
    metadata: metadata('words'),
    spec: {
      type: 'Opaque',
      data: { GREETING: 'aGVsbG8=' },
      files: { 'tls.key': 'certificates/tls.key' },
      environment: { API_TOKEN: 'API_TOKEN' },
    },
  },
  {
    apiVersion,
    kind: 'CutePod',
    metadata: metadata('shop'),
    spec: {
      containers: [{ name: 'web' }],
      initContainers: [{ name: 'migrate', type: 'always' }],
      ports: [port],
      networks: ['back'],
      hostname: 'shop',
      sysctl,
      extraHosts,
    },
  },
  {
    apiVersion,
    kind: 'CuteContainer',
    metadata: metadata('web'),
    spec: {
      image: 'docker.io/library/nginx:1.27',
      command: ['nginx'],
      args: ['-g', 'daemon off;'],
      env: [{ name: 'LEVEL', value: 'info' }],
      envFile: 'web.env',
      workingDir: '/srv',
      uid: 1000,
      gid: 1000,
      pod: 'shop',
      ports: [port],
      volumes: [
        {
          name: 'data',
          mountPath: '/data',
          subPath: 'web',
          mountOptions: { uidMapping: mapping, gidMapping: mapping },
        },
        { name: 'media', containerPath: '/media' },
      ],
      secrets: [{ name: 'words', path: '/run/secrets/words' }],
      sysctl,
      health: {
        type: 'exec',
        command: ['pg_isready'],
        tcpSocket: { port: 5432 },
        timeoutSeconds: 3,
        startPeriodSeconds: 30,
        retries: 3,
      },
      securityContext: {
        capabilities: { add: ['NET_BIND_SERVICE'], drop: ['ALL'] },
        runAsUser: 1000,
        runAsGroup: 1000,
        supplementalGroups: [44],
      },
      hostname: 'web',
      extraHosts,
      ulimits: { nofile: { soft: 1024, hard: 4096 } },
      devices: [{ hostPath: '/dev/dri', containerPath: '/dev/dri', permissions: 'rw' }],
      stopSignal: 'SIGTERM',
      stopTimeoutSeconds: 10,
      tmpfs: [{ mountPath: '/tmp' }],
      logging: { driver: 'json-file', options: { 'max-size': '10m' } },
    },
  },
]
