/** The blocks of pages that speak to a cluster work as they are written, on a real control plane that others looked after so far. */
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gitBench, type Bench } from '../testbed/git.ts'
import { startGitHttp, type GitHttp } from '../testbed/git-http.ts'
import { controlPlane, kubeTool, requiredKube } from '../testbed/kube-tools.ts'
import { startKube, type TestKube } from '../testbed/kube.ts'
import { blocksOf } from './blocks.ts'
import { pagesOnCluster } from './cluster-pages.ts'
import { runBlocks } from './run-blocks.ts'

const skip = requiredKube([...controlPlane])
let kube: TestKube
let git: Bench
let http: GitHttp

before(async () => {
  if (skip !== false) return
  kube = await startKube()
  await kube.addNodes(1)
  git = gitBench()
  http = await startGitHttp({ folder: git.folder })
  git.commit('A shop and a page', {
    'shop/shop.yaml': JSON.stringify(deployment('shop')),
    'k8s/clusters/local/web.yaml': JSON.stringify(deployment('web')),
  })
  const programs = join(kube.root, 'programs')
  mkdirSync(programs)
  symlinkSync(kubeTool('kubectl'), join(programs, 'kubectl'))
})

after(async () => {
  if (skip !== false) return
  await http.stop()
  git.remove()
  await kube.stop()
})

for (const file of pagesOnCluster) {
  test(`the blocks of ${file}`, { skip, timeout: 300_000 }, async () => {
    const environment = {
      PATH: join(kube.root, 'programs'),
      KUBECONFIG: kube.kubeconfig,
      REPOSITORY: `${http.origin}/infra.git`,
    }
    const blocks = blocksOf(file, readFileSync(file, 'utf8'))
    await runBlocks(blocks, environment, (home) => {
      symlinkSync(git.work, join(home, 'infra'))
      if (file.includes('flux')) beginWithFlux()
      else apply('argocd-controller', deployment('shop'))
    })
  })
}

/** A page that comes later finds Flux's kinds there. kustomize-controller is there in name: nobody is to work beside Tend. */
function beginWithFlux(): void {
  const own = {
    'kustomize.toolkit.fluxcd.io/name': 'apps',
    'kustomize.toolkit.fluxcd.io/namespace': 'flux-system',
  }
  const web = deployment('web')
  apply('kustomize-controller', { ...web, metadata: { ...web.metadata, labels: own } })
  forgetKustomizations()
  apply('kubectl', deployment('kustomize-controller', 'flux-system'))
  apply('flux', {
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind: 'GitRepository',
    metadata: { name: 'infra', namespace: 'flux-system' },
    spec: { interval: '1m', url: `${http.origin}/infra.git`, ref: { branch: 'main' } },
  })
  apply('flux', {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: 'apps', namespace: 'flux-system' },
    spec: {
      interval: '10m',
      path: './k8s/clusters/local',
      prune: true,
      sourceRef: { kind: 'GitRepository', name: 'infra' },
    },
  })
}

/** Of the page before; what they applied stays. */
function forgetKustomizations(): void {
  const there = ['-n', 'flux-system']
  const names = kube.kubectl([...there, 'get', 'kustomizations', '-o', 'name']).split('\n')
  for (const name of names.filter((one) => one !== '')) {
    const release = '{"metadata":{"finalizers":null}}'
    kube.kubectl([...there, 'patch', name, '--type=merge', '-p', release])
    kube.kubectl([...there, 'delete', name])
  }
}

/** As another program left it. */
function apply(manager: string, object: unknown): void {
  const words = [
    'apply',
    '--server-side',
    '--force-conflicts',
    `--field-manager=${manager}`,
    '-f',
    '-',
  ]
  kube.kubectl(words, JSON.stringify(object))
}

function deployment(name: string, namespace = 'default') {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name, image: `${name}:1.5` }] },
      },
    },
  }
}
