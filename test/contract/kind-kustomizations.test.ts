/** The contract of kinds on kustomizations, with a real API server. */
import { after, before } from 'node:test'
import { kustomizationsKind } from '#domains/kustomizations/domain.ts'
import { driveKube } from '../testbed/kube-drive.ts'
import { configMap, definitionText } from '../testbed/kube-texts.ts'
import { requiredKube } from '../testbed/kube-tools.ts'
import { startKube, type TestKube } from '../testbed/kube.ts'
import { kindContract } from './kind.ts'

const skip = requiredKube()
const password = 'correct horse battery staple'
let kube: TestKube

before(async () => {
  if (skip !== false) return
  kube = await startKube({ isBare: true })
  kube.kubectl(['apply', '-f', '-'], definitionText('widgets', 'Widget'))
  kube.kubectl(['wait', '--for=condition=Established', 'crd/widgets.example.com', '--timeout=30s'])
})

after(async () => {
  if (skip === false) await kube.stop()
})

function secretText(name: string): string {
  return `apiVersion: v1
kind: Secret
metadata: { name: ${name}-login, namespace: default }
stringData: { password: ${password} }
`
}

function widgetText(name: string): string {
  return `apiVersion: example.com/v1
kind: Widget
metadata: { name: ${name}-widget, namespace: default }
spec: { size: 1 }
`
}

let number = 0

kindContract(
  'kustomizations',
  async () => {
    number += 1
    const name = `contract-${number}`
    const driver = driveKube(kube, name)
    const shared = { 'login.yaml': secretText(name), 'widget.yaml': widgetText(name) }
    const maps = (value: string, other: string) => ({
      ...shared,
      'map.yaml': configMap(`${name}-map`, value),
      'other.yaml': configMap(`${name}-${other}`, 'same'),
    })
    const labels = `kustomize.toolkit.fluxcd.io/name=${name}`
    return {
      kind: kustomizationsKind({ prune: true }),
      target: driver.target,
      application: { kind: 'kustomization', namespace: 'flux-system', name },
      first: () => driver.render(maps('hello', 'old')),
      second: () => driver.render(maps('good-day', 'new')),
      secret: password,
      async sketch() {
        const kinds = 'configmaps,secrets,widgets.example.com'
        const columns = '-o=custom-columns=k:.kind,n:.metadata.name,d:.data.key'
        return kube.kubectl(['get', kinds, '-n', 'default', '-l', labels, '--no-headers', columns])
      },
      async drift() {
        kube.kubectl(['delete', 'configmap', '-n', 'default', `${name}-old`])
      },
      async sicken() {
        const reason = { type: 'Stalled', status: 'True', reason: 'Broken', message: 'it broke' }
        const patch = JSON.stringify({ status: { conditions: [reason] } })
        const words = ['patch', 'widgets.example.com', '-n', 'default', `${name}-widget`]
        kube.kubectl([...words, '--subresource=status', '--type=merge', '-p', patch])
      },
      async close() {
        driver.close()
      },
    }
  },
  { skip },
)
