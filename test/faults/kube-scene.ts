/** A set in two versions: every kind of step is in the way from one to the other. */
import { configMap, definitionText } from '../testbed/kube-texts.ts'

export type KubeVersion = 'first' | 'second'

export function kubeFiles(version: KubeVersion): Readonly<Record<string, string>> {
  const isFirst = version === 'first'
  return {
    'crd.yaml': definitionText('parts', 'Part'),
    'ns.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: { name: scene }\n',
    'part.yaml': `apiVersion: example.com/v1
kind: Part
metadata: { name: part, namespace: scene }
spec: { version: ${version} }
`,
    'secret.yaml': `apiVersion: v1
kind: Secret
metadata: { name: scene, namespace: default }
stringData: { password: very-secret-${version} }
`,
    'steady.yaml': configMap('scene-steady', 'same'),
    'changed.yaml': configMap('scene-changed', version),
    [`${version}.yaml`]: configMap(`scene-${version}`, 'x'),
    'account.yaml': `apiVersion: v1
kind: ServiceAccount
metadata: { name: scene-${isFirst ? 'old' : 'new'}, namespace: default }
`,
  }
}

const [, , port, token, version] = process.argv
/** As a program: one run through a proxy that may end it at any call. */
if (import.meta.filename === process.argv[1]) {
  const { driveKube } = await import('../testbed/kube-drive.ts')
  const { faultsAccess } = await import('../testbed/kube-faults.ts')
  const access = faultsAccess(Number(port), token ?? '')
  const driver = driveKube({ kubeconfig: '' }, 'scene', {}, access)
  const driven = await driver.up(kubeFiles(version === 'first' ? 'first' : 'second'))
  process.stdout.write(driven.outcome)
  driver.close()
}
