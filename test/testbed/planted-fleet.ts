/** A fleet whose settings hold secrets, asked by every verb of fleets while nothing that they lead to answers. */
import type { FleetBench } from './fleet.ts'
import type { Planted } from './planted.ts'

const verbs = [
  'init',
  'add more --provider k3d',
  'list',
  'list -o json',
  'export',
  'set dev --http-port 18190',
  'bootstrap',
  'reconcile --from-db --dry-run -v',
  'reconcile --from-db -v',
  'validate -v',
  'verify',
  'kubeconfig dev',
  'stop dev',
  'start dev',
  'adopt dev',
  'import rows.yaml',
  'regress --require k3d=1 --log regress.log --report report.md',
  'rm dev',
  'clean --all -v',
]

export async function plantedFleet(garden: Planted, fleet: FleetBench): Promise<void> {
  const url = (where: string) => garden.plant(where, 'http://somebody:%@127.0.0.1:1/x.git')
  fleet.write({
    key: garden.plant('the key of Portainer'),
    token: garden.plant('the token of Git'),
    'argocd.conf': `apiVersion: v1
kind: Config
current-context: a
contexts: [{ name: a, context: { cluster: a, user: a } }]
clusters: [{ name: a, cluster: { server: "https://127.0.0.1:1" } }]
users: [{ name: a, user: { token: ${garden.plant('the kubeconfig of Argo CD')} } }]
`,
    'rows.yaml': `clusters: [{ name: other, provider: k3d, ${garden.plant('a row that can not be read')}: 1 }]\n`,
    'fleet.yaml': `
providers:
  k3d: { config: { registries: { config: "password: ${garden.plant('a registry of all clusters')}" } } }
portainer: { url: "http://127.0.0.1:1", key: { file: key } }
argocd: { kubeconfig: argocd.conf }
git: { url: "${url('the address of Git')}", token: { file: token } }
clusters:
  dev: { config: { registries: { config: "password: ${garden.plant('a registry of a cluster')}" } } }
`,
  })
  for (const line of verbs) {
    const { out, err } = await fleet.fleet(line)
    garden.keep(`tend fleet ${line}`, out + err)
  }
  fleet.write({
    'fleet.yaml': `git: { url: ${garden.plant('settings that can not be read')} : [\n`,
  })
  for (const line of ['list', 'validate']) {
    const { out, err } = await fleet.fleet(line)
    garden.keep(`tend fleet ${line}`, out + err)
  }
}
