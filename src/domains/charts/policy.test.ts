/** Charts obey the policy that stacks obey: by hand everything, out of a repository what its operator allows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { denyAll, type Policy } from '#model/policy.ts'
import { renderChart } from './render/render.ts'
import { input, manifest } from '../../../test/fake/chart.ts'

const bold = {
  'templates/web.yaml': manifest(
    'CuteContainer',
    'web',
    `image: {{ .Values.image }}
securityContext:
  privileged: true
  capabilities: { add: [NET_ADMIN], drop: [ALL] }
devices: [/dev/kvm]
volumes:
  - { name: sock, mountPath: /sock }
  - { name: disguised, mountPath: /x }`,
  ),
  'templates/volumes.yaml': [
    manifest('CuteVolume', 'sock', 'hostPath: /run/podman/podman.sock'),
    manifest('CuteVolume', 'disguised', 'volume: { options: { o: bind, device: /root } }'),
    manifest('CuteVolume', 'data', 'volume: {}'),
    manifest('CuteVolume', 'media', 'hostPath: { path: /srv/media/films, type: Directory }'),
    manifest('CuteVolume', 'quick', 'emptyDir: { medium: Memory }'),
  ].join('---\n'),
  'values.yaml': 'image: x\n',
}

function rendered(policy?: Policy) {
  return renderChart({ ...input(bold), ...(policy === undefined ? {} : { policy }) })
}

test('by hand a chart may ask for everything', () => {
  const { problems, warnings } = rendered()
  assert.deepEqual([...problems, ...warnings], [])
})

test('out of a repository every ask is refused with its place, and the run is stopped', () => {
  const { problems } = rendered({ ...denyAll, allowedRoots: ['/srv/media'] })
  assert.deepEqual(
    problems.map(({ at, message }) => `${at?.file}:${at?.line}: ${message}`),
    [
      'templates/volumes.yaml:6: volume/sock: a mount of /run/podman/podman.sock is denied by the policy',
      'templates/volumes.yaml:6: volume/sock: a mount of /run/podman/podman.sock is denied by the policy',
      'templates/volumes.yaml:13: volume/disguised: a mount of /root is denied by the policy',
      'templates/web.yaml:8: container/web: privileged is denied by the policy',
      'templates/web.yaml:9: container/web: capability NET_ADMIN is denied by the policy',
      'templates/web.yaml:10: container/web: device /dev/kvm is denied by the policy',
    ],
  )
  assert.deepEqual(
    new Set(problems.map(({ type, code }) => `${type} ${code}`)),
    new Set(['configuration denied']),
  )
  assert.equal(
    problems[0]?.suggestion,
    'take it out, or let the operator write security: {engineSocket: allow} for it in tend.yaml',
  )
})

test('what the operator only wants to hear of is a warning with its place', () => {
  const policy: Policy = {
    ...denyAll,
    privileged: 'warn',
    containedCapabilities: 'allow',
    devices: 'allow',
  }
  const open: Policy = { ...policy, engineSocket: 'allow', outsideBinds: 'allow' }
  const { problems, warnings } = rendered(open)
  assert.deepEqual(problems, [])
  assert.deepEqual(warnings, [
    'templates/web.yaml:8:5: container/web: privileged: the policy warns of it',
  ])
})

test('labels by which Podman restarts units of the host are refused', () => {
  const text = manifest('CuteContainer', 'web', 'image: x').replace(
    'name: web\n',
    'name: web\n  labels: { PODMAN_SYSTEMD_UNIT: ssh.service, app: web }\n',
  )
  const { problems } = renderChart({ ...input({ 'templates/web.yaml': text }), policy: denyAll })
  assert.deepEqual(
    problems.map(({ message }) => message),
    ['container/web: label PODMAN_SYSTEMD_UNIT is denied by the policy'],
  )
})

test('an image that is a file of the host is refused with its line; what a registry has is not', () => {
  const imagesOf = (image: string): readonly string[] => {
    const files = { 'templates/web.yaml': manifest('CuteContainer', 'web', `image: "${image}"`) }
    const { problems } = renderChart({ ...input(files), policy: denyAll })
    return problems.map(({ at, message }) => `${at?.file}:${at?.line}: ${message}`)
  }
  for (const scheme of [
    'dir',
    'oci',
    'oci-archive',
    'docker-archive',
    'containers-storage',
    'docker-daemon',
  ]) {
    const [found = ''] = imagesOf(`${scheme}:/etc/passwd`)
    assert.equal(
      found,
      `templates/web.yaml:6: container/web: the image ${scheme}:/etc/passwd, which is no plain name of an image, is denied by the policy`,
    )
  }
  for (const image of [
    'nginx',
    'docker://docker.io/library/nginx:1',
    'a.example:5000/x@sha256:' + '0'.repeat(64),
  ]) {
    assert.deepEqual(imagesOf(image), [])
  }
})
