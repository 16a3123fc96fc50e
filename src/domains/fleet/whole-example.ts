/** A fleet.yaml that uses every key, for the JSON Schema that editors show; a test reads it with the schema itself. */

const node = { listen: '0.0.0.0', apiAddress: '127.0.0.1', engine: 'docker', network: 'clusters' }

export const wholeExample = {
  name: 'dev',
  baseDomain: '127.0.0.1.nip.io',
  namespace: 'team-a',
  folder: '/var/lib/tend/fleet',
  providers: {
    kind: {
      program: '/usr/local/bin/kind',
      image: 'kindest/node:v1.34.0',
      ...node,
      config: { featureGates: { KubeletInUserNamespace: true } },
    },
    k3d: {
      program: '/usr/local/bin/k3d',
      image: 'rancher/k3s:v1.34.1-k3s1',
      ...node,
      config: {
        options: { k3s: { extraArgs: [{ arg: '--disable=traefik', nodeFilters: ['server:*'] }] } },
      },
    },
    kwok: {
      program: '/usr/local/bin/kwokctl',
      image: 'registry.k8s.io/kwok/cluster:v0.7.0-k8s.v1.34.0',
      listen: '127.0.0.1',
      folder: '/var/lib/tend/kwok',
      components: ['etcd', 'kube-apiserver'],
      config: { options: { kubeAuditPolicy: '/etc/tend/audit.yaml' } },
    },
  },
  networks: [{ name: 'clusters', subnet: '10.101.0.0/16', gateway: '10.101.0.1' }],
  haproxy: {
    program: '/usr/sbin/haproxy',
    folder: '/var/lib/tend/haproxy',
    http: '0.0.0.0:80',
    https: '0.0.0.0:443',
    address: '192.168.51.30',
  },
  portainer: {
    url: 'https://portainer.example.org',
    key: { file: 'portainer.key' },
    user: 'admin',
    edgeUrl: 'https://portainer.example.org:8000',
    group: 1,
    ca: '/etc/ssl/certs/portainer.pem',
    agent: { image: 'portainer/agent:2.33.2' },
  },
  argocd: {
    kubeconfig: '/etc/tend/management.kubeconfig',
    context: 'management',
    namespace: 'argocd',
    host: '192.168.51.30',
    applicationSet: {
      name: 'whoami',
      repository: 'https://example.org/apps.git',
      path: 'deploy',
      project: 'default',
      namespace: 'whoami',
      parameters: { 'image.tag': '1.5' },
    },
  },
  git: {
    url: 'https://example.org/environments.git',
    base: 'main',
    user: 'deploy',
    token: { variable: 'GIT_TOKEN' },
    protected: ['main', 'release'],
  },
  clusters: {
    prod: {
      image: 'kindest/node:v1.34.0',
      version: 'v1.34.0',
      apiAddress: '127.0.0.1',
      servers: 3,
      agents: 2,
      config: { nodes: [{ role: 'control-plane' }] },
    },
    elsewhere: { kubeconfig: '/etc/tend/elsewhere.kubeconfig', address: '192.168.51.40:80' },
  },
}
