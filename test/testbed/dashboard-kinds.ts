/** The real service with applications of all four kinds: stacks on Docker and on Podman, a chart on Podman, a kustomization on a real control plane, a fleet on the k3d stand-in, with a real HAProxy and a Portainer that is stood in for. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { openBrowser, openPage, visit, type Look } from './browser.ts'
import { provideDashboard } from './dashboard-files.ts'
import { shopText } from './dashboard-world.ts'
import { startDocker, type TestDocker } from './docker.ts'
import { fleetBench, type FleetBench } from './fleet.ts'
import { endProxy } from './haproxy.ts'
import { gitBench, type Bench, type BenchNames } from './git.ts'
import { addImage, busybox } from './image.ts'
import { startKube, type TestKube } from './kube.ts'
import { startPodman, type TestPodman } from './podman.ts'
import { freePort } from './port.ts'
import { portainerStandIn, type PortainerStandIn } from './portainer-stand-in.ts'
import { servingOn, type Serving } from './serving.ts'

export type KindsWorld = {
  readonly docker: TestDocker
  readonly podman: TestPodman
  /** Undefined: a world without a cluster was asked for. */
  readonly kube: TestKube | undefined
  readonly fleet: FleetBench
  /** Its clusters are registered there. */
  readonly portainer: PortainerStandIn
  readonly git: Bench
  readonly serving: Serving
  readonly browser: Browser
  /** A new page, logged in as who runs the service. */
  open(path: string, look?: Look): Promise<Page>
  own(): Readonly<Record<string, string>>
  /** By hand, on Podman: the service web of a stack is taken off its network. */
  takeOffNetwork(stack: string): void
  errors(): readonly string[]
  stop(): Promise<void>
}

export function siteChart(greeting: string): Readonly<Record<string, string>> {
  return {
    'site/Chart.yaml': 'name: site\nversion: 1.0.0\n',
    'site/values.yaml': `greeting: ${greeting}\n`,
    'site/templates/web.yaml': `apiVersion: cutepod/v1alpha0
kind: CuteContainer
metadata: { name: front }
spec:
  image: ${busybox}
  command: [sh, -c, "echo the site is up; exec sleep 100000"]
  env: [{ name: GREETING, value: "{{ .Values.greeting }}" }]
`,
  }
}

export function platformFiles(colour: string): Readonly<Record<string, string>> {
  return {
    'platform/kustomization.yaml':
      'namespace: platform\nresources: [space.yaml, settings.yaml, web.yaml]\n',
    'platform/space.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: { name: platform }\n',
    'platform/settings.yaml': `apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data:
  colour: ${colour}
`,
    'platform/web.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - { name: web, image: "example.org/web:1" }
`,
  }
}

const onCluster = `  - { kustomization: platform, path: platform, drift: flag, labels: { team: web } }
  - { stack: portal, path: portal, dependsOn: ["kustomization:flux-system/platform"] }
`
const portalText = `services:
  portal:
    image: ${busybox}
    command: [sh, -c, "echo the portal is open; exec sleep 100000"]
    stop_grace_period: 0s
`

/** The stack of the portal waits for the kustomization, which is left out where no cluster is wanted. */
export async function openKindsWorld({
  hasCluster = true,
  ...names
}: BenchNames & { readonly hasCluster?: boolean } = {}): Promise<KindsWorld> {
  const [docker, podman, kube, fleet, portainer, browser] = await Promise.all([
    startDocker(),
    startPodman(),
    hasCluster ? startKube({ podLines: ['the platform stands', 'a guest came'] }) : undefined,
    fleetBench(),
    portainerStandIn(),
    openBrowser(),
    provideDashboard(),
  ])
  await Promise.all([docker.addImage(), addImage(podman.socket), kube?.addNodes(1)])
  const git = gitBench(names)
  git.commit('Begin', {
    'shop/compose.yaml': shopText('hello'),
    'portal/compose.yaml': portalText,
    ...siteChart('hello'),
    ...platformFiles('green'),
  })
  const proxy = join(fleet.folder, 'proxy')
  fleet.write({
    'fleet.yaml': `name: lab
baseDomain: lab.test
haproxy: { folder: ${proxy}, http: '127.0.0.1:${await freePort()}' }
portainer: { url: '${portainer.url}', key: { variable: PORTAINER_KEY }, edgeUrl: 'http://edge.test' }
`,
  })
  await fleet.fleet('init')
  await fleet.fleet('bootstrap', { PORTAINER_KEY: portainer.key })
  await fleet.fleet('add dev --provider k3d')
  await fleet.fleet('add uat --provider k3d')
  const serving = await servingOn({
    DOCKER_HOST: `unix://${docker.socket}`,
    CONTAINER_HOST: `unix://${podman.socket}`,
    KUBECONFIG: kube?.kubeconfig ?? '',
    PATH: `${join(fleet.folder, 'bin')}:${process.env['PATH']}`,
    K3D_STAND_IN: join(fleet.folder, 'k3d'),
    PORTAINER_KEY: portainer.key,
  })
  serving.declare(`
sources: { infra: { git: "${git.bare}", ref: main } }
defaults: { interval: off }
apps:
  - { stack: shop, path: shop, drift: flag, labels: { team: retail } }
  - { stack: depot, path: shop, target: "unix://${podman.socket}", drift: flag, labels: { team: retail } }
  - { chart: site, path: site, labels: { team: web } }
${kube === undefined ? '' : onCluster}fleets: [{ fleet: lab, database: "${fleet.database}", interval: 15m }]
`)
  const words = ['--config', join(serving.folder, 'tend.yaml')]
  await serving.start(kube === undefined ? words : ['--kube', ...words])
  const failed: (readonly string[])[] = []
  const local = () => readFileSync(join(serving.home, 'local-token'), 'utf8').trim()
  return {
    docker,
    podman,
    kube,
    fleet,
    portainer,
    git,
    serving,
    browser,
    async open(path, look = {}) {
      const { page, errors } = await openPage(browser, look)
      failed.push(errors)
      await visit(page, `${serving.url}${path}`, local())
      return page
    },
    takeOffNetwork(stack) {
      const env = { ...process.env, DOCKER_HOST: `unix://${podman.socket}` }
      const words = ['network', 'disconnect', `${stack}_default`, `${stack}-web-1`]
      execFileSync('docker', words, { env, stdio: 'pipe' })
    },
    own: () => ({ authorization: `Bearer ${local()}` }),
    errors: () => failed.flat(),
    async stop() {
      await browser.close()
      await serving.remove()
      await endProxy(proxy)
      await fleet.close()
      await portainer.close()
      git.remove()
      await Promise.all([docker.stop(), podman.stop(), kube?.stop()])
    },
  }
}
