/** What becomes of nodes and pods where nothing runs them: nodes and pods are ready at once, pods that are told to fail do, what is deleted goes. */

/** A pod whose annotation says so: crash, image, pull, config, init; late and stumble fail at first and become ready then. */
export const fate = 'tend-test/fate'

const alive = `    - { key: '.metadata.deletionTimestamp', operator: 'DoesNotExist' }
    - { key: '.spec.nodeName', operator: 'Exists' }
    - { key: '.status.phase', operator: 'In', values: ['Pending'] }`

export const stages = [
  stage(
    'node-ready',
    'Node',
    `    - { key: '.status.conditions.[] | select( .type == "Ready" ) | .status', operator: 'NotIn', values: ['True'] }`,
    `    statusTemplate: |
      {{ $now := Now }}
      conditions:
      - { type: Ready, status: "True", reason: KubeletReady, message: "", lastHeartbeatTime: {{ $now | Quote }}, lastTransitionTime: {{ $now | Quote }} }
      phase: Running
`,
  ),
  stage(
    'pod-ready',
    'Pod',
    `${alive}
    - { key: '.metadata.annotations["${fate}"]', operator: 'DoesNotExist' }`,
    podStatus('Running', '"True"', 'ready: true', 'running: { startedAt: {{ $now | Quote }} }'),
  ),
  failing('crash', 'Running', 'CrashLoopBackOff', 'back-off restarting failed container', {
    restarts: 4,
  }),
  failing('image', 'Pending', 'ImagePullBackOff', 'Back-off pulling image'),
  failing('pull', 'Pending', 'ErrImagePull', 'no such image'),
  failing('config', 'Pending', 'CreateContainerConfigError', 'secret "nothing" not found'),
  failing('init', 'Pending', 'CrashLoopBackOff', 'back-off restarting failed container', {
    which: 'init',
    restarts: 4,
  }),
  failing('late', 'Pending', 'CreateContainerConfigError', 'secret "late" not found'),
  recovering('late', 4_000),
  failing('stumble', 'Pending', 'CrashLoopBackOff', 'back-off restarting failed container', {
    restarts: 1,
  }),
  recovering('stumble', 12_000),
  stage(
    'pod-delete',
    'Pod',
    `    - { key: '.metadata.deletionTimestamp', operator: 'Exists' }`,
    `    finalizers: { empty: true }
    delete: true
`,
  ),
].join('---\n')

/** A pod of that fate: its containers, or those that come before them, wait with the reason. */
function failing(
  doom: string,
  phase: string,
  reason: string,
  message: string,
  how: { readonly which?: 'container' | 'init'; readonly restarts?: number } = {},
): string {
  const { which = 'container', restarts = 0 } = how
  const list = which === 'init' ? 'initContainerStatuses' : 'containerStatuses'
  const selected = `${alive}
    - { key: '.metadata.annotations["${fate}"]', operator: 'In', values: ['${doom}'] }
    - { key: '.status.${list}', operator: 'DoesNotExist' }`
  const state = `waiting: { reason: ${reason}, message: '${message}' }`
  const status = podStatus(phase, '"False"', 'ready: false', state).replace(
    'restartCount: 0',
    `restartCount: ${restarts}`,
  )
  const own =
    which === 'init'
      ? status
          .replace('containerStatuses:', 'initContainerStatuses:')
          .replace('.spec.containers', '.spec.initContainers')
      : status
  return stage(`pod-${doom}`, 'Pod', selected, own)
}

/** After some time, ms, a pod of that fate is ready all the same. */
function recovering(doom: string, after: number): string {
  const selected = `${alive}
    - { key: '.metadata.annotations["${fate}"]', operator: 'In', values: ['${doom}'] }
    - { key: '.status.containerStatuses', operator: 'Exists' }`
  const state = 'running: { startedAt: {{ $now | Quote }} }'
  const next = podStatus('Running', '"True"', 'ready: true', state)
  const delay = `  delay: { durationMilliseconds: ${after} }\n`
  return stage(`pod-${doom}-ready`, 'Pod', selected, next).replace('  next:\n', `${delay}  next:\n`)
}

function stage(name: string, kind: string, expressions: string, next: string): string {
  return `apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: ${name} }
spec:
  resourceRef: { apiGroup: v1, kind: ${kind} }
  selector:
    matchExpressions:
${expressions}
  next:
${next}`
}

function podStatus(phase: string, isReady: string, ready: string, state: string): string {
  return `    statusTemplate: |
      {{ $now := Now }}
      conditions:
      - { type: Initialized, status: "True", lastTransitionTime: {{ $now | Quote }} }
      - { type: Ready, status: ${isReady}, lastTransitionTime: {{ $now | Quote }} }
      - { type: ContainersReady, status: ${isReady}, lastTransitionTime: {{ $now | Quote }} }
      containerStatuses:
      {{ range .spec.containers }}
      - image: {{ .image | Quote }}
        imageID: ""
        name: {{ .name | Quote }}
        restartCount: 0
        ${ready}
        state: { ${state} }
      {{ end }}
      phase: ${phase}
      startTime: {{ $now | Quote }}
`
}
