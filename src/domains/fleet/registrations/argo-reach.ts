/** Whether Argo CD reaches a cluster from where it runs: a pod with its own image, on its own node, tries to connect. */
import type { Kubernetes } from '#clients/kubernetes/client.ts'
import type { JsonRecord } from '#model/json.ts'
import { problemOf } from '#model/problem.ts'
import { recordOf, recordsOf, textMapOf, textOf } from '#model/read-json.ts'
import { fleetLabel, object, type ClusterConnections } from './objects-in-cluster.ts'

/** `unknown`: nobody could try it. */
export type Reach =
  | { readonly kind: 'reached' }
  | { readonly kind: 'unreachable'; readonly why: string }
  | { readonly kind: 'unknown'; readonly why: string }

type ReachInput = {
  readonly management: Kubernetes
  readonly namespace: string
  readonly fleet: string
  readonly connections: ClusterConnections
}

/** A pod says at most 4,096 bytes when it ends. */
const mostPlaces = 64
const pause = 250
const longest = 30_000

/** `places`: addresses of API servers as Argo CD is told them. The answers are in the same order. */
export async function reachFromArgo(
  input: ReachInput,
  places: readonly string[],
  signal: AbortSignal,
): Promise<readonly Reach[]> {
  const answers: Reach[] = []
  for (let first = 0; first < places.length; first += mostPlaces) {
    const some = places.slice(first, first + mostPlaces)
    try {
      answers.push(...(await tried(input, some, signal)))
    } catch (thrown) {
      signal.throwIfAborted()
      const why = problemOf(thrown).message
      answers.push(...some.map((): Reach => ({ kind: 'unknown', why })))
    }
  }
  return answers
}

async function tried(
  input: ReachInput,
  places: readonly string[],
  signal: AbortSignal,
): Promise<readonly Reach[]> {
  const { management, namespace } = input
  const doing = `could not try from inside ${namespace} what Argo CD reaches`
  const pods = `/api/v1/namespaces/${namespace}/pods`
  const beside = await podOfArgo(management, pods, doing, signal)
  if (beside === undefined) {
    const why = `no pod of Argo CD runs in ${namespace}`
    return places.map(() => ({ kind: 'unknown', why }))
  }
  const body = podOf(beside, places, input)
  const query = { fieldValidation: 'Strict' }
  const made = await management.ask('POST', pods, { query, body, signal, doing })
  const path = `${pods}/${textOf(recordOf(recordOf(made.body)['metadata'])['name'])}`
  try {
    return answersIn(await ended(input, path, doing, signal), places)
  } finally {
    const end = { signal: AbortSignal.timeout(5000), doing, fine: [404] }
    // a pod that could not be removed ends by its own deadline
    const now = { query: { gracePeriodSeconds: 0 }, ...end }
    await management.ask('DELETE', path, now).catch(() => undefined)
  }
}

/** The controller is who connects to clusters; where it can't be told from the others any of them is as good. */
async function podOfArgo(
  management: Kubernetes,
  pods: string,
  doing: string,
  signal: AbortSignal,
): Promise<JsonRecord | undefined> {
  const query = { labelSelector: 'app.kubernetes.io/part-of=argocd' }
  const said = await management.ask('GET', pods, { query, signal, doing })
  const running = recordsOf(recordOf(said.body)['items']).filter(
    (pod) => textOf(recordOf(pod['status'])['phase']) === 'Running',
  )
  const isController = (pod: JsonRecord): boolean =>
    textMapOf(recordOf(pod['metadata'])['labels'])['app.kubernetes.io/name'] ===
    'argocd-application-controller'
  return running.find(isController) ?? running[0]
}

/** All at once, five seconds for each; the shell that comes with Argo CD's image connects. */
const script = `number=0
for place; do
  (
    if why=$(timeout 5 bash -c 'exec 3<>"/dev/tcp/$0/$1"' "\${place%:*}" "\${place##*:}" 2>&1); then
      echo "$number reached"
    else
      why=\${why%%$'\\n'*}
      echo "$number \${why##*: }"
    fi
  ) >> /dev/termination-log &
  number=$((number + 1))
done
wait
`

/** It may do nothing and holds no token. It is on the node of Argo CD's pod, where the image is there and the network the same. */
function podOf(
  beside: JsonRecord,
  places: readonly string[],
  { namespace, fleet }: ReachInput,
): JsonRecord {
  const { nodeName = '', imagePullSecrets = [], containers } = recordOf(beside['spec'])
  const image = textOf(recordsOf(containers)[0]?.['image'])
  const securityContext = {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
  }
  const container = {
    name: 'reach',
    image,
    imagePullPolicy: 'IfNotPresent',
    command: ['bash', '-c', script, 'reach', ...places.map(hostAndPort)],
    securityContext,
    resources: { limits: { memory: '64Mi' } },
  }
  const metadata = { generateName: 'tend-reach-', namespace, labels: { [fleetLabel]: fleet } }
  const spec = {
    nodeName,
    restartPolicy: 'Never',
    activeDeadlineSeconds: longest / 1000,
    automountServiceAccountToken: false,
    imagePullSecrets,
    containers: [container],
  }
  return object('v1', 'Pod', metadata, { spec })
}

function hostAndPort(place: string): string {
  const { hostname, port, protocol } = new URL(place)
  const usual = protocol === 'http:' ? '80' : '443'
  return `${hostname.replace(/^\[|\]$/g, '')}:${port === '' ? usual : port}`
}

/** What the pod says when it ended. */
async function ended(
  { management, connections }: ReachInput,
  path: string,
  doing: string,
  signal: AbortSignal,
): Promise<JsonRecord> {
  for (let waited = 0; ; waited += pause) {
    const { body } = await management.ask('GET', path, { signal, doing })
    const status = recordOf(recordOf(body)['status'])
    const phase = textOf(status['phase'])
    if (phase === 'Succeeded' || phase === 'Failed' || waited >= longest) return status
    await connections.sleep(pause, signal)
  }
}

function answersIn(status: JsonRecord, places: readonly string[]): readonly Reach[] {
  const [container] = recordsOf(status['containerStatuses'])
  const state = recordOf(container?.['state'])
  const { message = '', reason = '' } = recordOf(state['terminated'] ?? state['waiting'])
  const lines = new Map(
    textOf(message)
      .split('\n')
      .flatMap((line) => {
        const [, number = '', what = ''] = /^(\d+) (.*)$/.exec(line) ?? []
        return number === '' ? [] : [[Number(number), what] as const]
      }),
  )
  const silent = `its pod said nothing (${[textOf(status['phase']), textOf(reason)].filter((word) => word !== '').join(', ')})`
  return places.map((_, index): Reach => {
    const what = lines.get(index)
    if (what === undefined) return { kind: 'unknown', why: silent }
    if (what === 'reached') return { kind: 'reached' }
    return { kind: 'unreachable', why: what === '' ? 'nobody answered within 5 s' : what }
  })
}
