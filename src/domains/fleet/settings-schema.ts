/** JSON Schema of fleet.yaml, for editors, made from what it is checked with. */
import * as z from 'zod/mini'
import { describe, type Descriptions, type JsonSchema } from '#formats/schema/describe.ts'
import { spreadExamples } from '#formats/schema/spread-examples.ts'
import { settingsSchema } from './settings.ts'
import { wholeExample } from './whole-example.ts'

const descriptions: Descriptions = {
  name: 'The name of the fleet: what Tend makes outside of clusters carries it',
  baseDomain: 'The domain of routes: NAME.BASEDOMAIN',
  namespace:
    'What the names of clusters begin with at their providers, so that two fleets do not meet',
  folder: 'Where the fleet keeps its files; the folder of the database, unless it is said',
  providers: 'The programs that make clusters, and what they make them with',
  networks: 'Networks of Docker that bootstrap makes',
  'networks.name': 'Its name in Docker',
  'networks.subnet': 'Its addresses, such as 10.101.0.0/16',
  'networks.gateway': 'The address of its gateway',
  haproxy: 'Routes requests to clusters by their names',
  'haproxy.program': 'The program; haproxy on the PATH, unless it is said',
  'haproxy.folder': 'Where its configuration is written',
  'haproxy.http': 'Where it listens: ADDRESS:PORT',
  'haproxy.https': 'Where it listens for TLS, which it passes on as it is: ADDRESS:PORT',
  'haproxy.address': 'Under which address it is reached, if that is not where it listens',
  portainer: 'Each cluster becomes an environment of this Portainer',
  'portainer.url': 'Its address',
  'portainer.key': 'An access token: { file } or { variable }',
  'portainer.user': 'A user, in place of an access token',
  'portainer.password': "The user's password: { file } or { variable }",
  'portainer.edgeUrl': 'Under which address agents in clusters reach it',
  'portainer.group': 'The number of the group that environments are put into',
  'portainer.ca': 'A file with the authority that signed its certificate',
  'portainer.agent': 'The agent that is put into clusters',
  'portainer.agent.image': 'Its image',
  'portainer.agent.insecure': "Whether it accepts Portainer's certificate unseen",
  argocd: 'Each cluster is registered in the Argo CD of the management cluster',
  'argocd.kubeconfig': 'The kubeconfig of the management cluster',
  'argocd.context': 'Its context; the current one, unless it is said',
  'argocd.namespace': 'The namespace of Argo CD; argocd, unless it is said',
  'argocd.host': 'Under which address the clusters of this machine are reached from there',
  'argocd.applicationSet': 'An ApplicationSet with one application for each cluster',
  'argocd.applicationSet.name': 'Its name',
  'argocd.applicationSet.repository': 'The repository that applications come from',
  'argocd.applicationSet.path': 'The folder in it',
  'argocd.applicationSet.project': 'The project of Argo CD',
  'argocd.applicationSet.namespace': 'The namespace in the clusters',
  'argocd.applicationSet.parameters': 'Further parameters of the applications',
  git: 'A branch for each cluster',
  'git.url': 'The repository',
  'git.base': 'The branch that new ones begin at',
  'git.user': 'For https',
  'git.token': 'For https: { file } or { variable }',
  'git.protected': 'Branches that are never deleted',
  clusters: 'Settings of single clusters, by name',
  'clusters.image': 'The node image',
  'clusters.version': 'The version of Kubernetes',
  'clusters.apiAddress': 'The address of this machine that its API server listens on',
  'clusters.servers': 'How many control-plane nodes',
  'clusters.agents': 'How many worker nodes',
  'clusters.config': "The provider's own configuration, laid over what Tend writes",
  'clusters.kubeconfig': 'Of a cluster that others made (provider existing)',
  'clusters.address': 'Where requests for it go (provider existing)',
  ...Object.fromEntries(
    ['portainer.key', 'portainer.password', 'git.token'].flatMap((secret) => [
      [`${secret}.file`, 'The file that holds it'],
      [`${secret}.variable`, 'The variable of the environment that holds it'],
    ]),
  ),
  ...Object.fromEntries(
    ['kind', 'k3d', 'kwok'].flatMap((provider) => [
      [`providers.${provider}`, `Clusters of ${provider}`],
      [`providers.${provider}.program`, 'The program, if it is not on the PATH under its own name'],
      [`providers.${provider}.image`, 'The node image, unless a cluster says another'],
      [
        `providers.${provider}.listen`,
        'The address of this machine that published ports listen on',
      ],
      [
        `providers.${provider}.config`,
        "The provider's own configuration, laid over what Tend writes",
      ],
      [`providers.${provider}.engine`, 'docker or podman'],
      [`providers.${provider}.network`, 'The network of Docker that nodes join'],
      [
        `providers.${provider}.apiAddress`,
        'The address of this machine that API servers listen on',
      ],
      [`providers.${provider}.folder`, 'Where it keeps its clusters'],
      [
        `providers.${provider}.components`,
        'What a control plane consists of, such as etcd and kube-apiserver',
      ],
    ]),
  ),
}

const example = {
  baseDomain: '127.0.0.1.nip.io',
  providers: { k3d: { image: 'rancher/k3s:v1.34.1-k3s1' } },
  haproxy: { http: '127.0.0.1:8080' },
}

export function fleetSettingsSchema(): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(settingsSchema, { io: 'input' })
  const described = describe({ $schema, title: 'fleet.yaml', ...rest }, descriptions, [example])
  return spreadExamples(described, [wholeExample])
}
