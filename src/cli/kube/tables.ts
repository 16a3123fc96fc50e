/** `tend get kustomizations` and `tend get sources git`: Flux's columns, from the cluster itself. */
import { recordOf, textOf } from '#model/read-json.ts'
import type { ApiKind } from '#clients/kubernetes/discovery.ts'
import { listObjects } from '#clients/kubernetes/list.ts'
import {
  fluxObjectOf,
  kustomizations,
  readyOf,
  repositories,
  type FluxObject,
} from '#controller/flux/kinds.ts'
import { Problem } from '#model/problem.ts'
import { closest } from '../arguments/closest.ts'
import { home } from '#controller/flux/kinds.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { CommandContext } from '../session.ts'
import { columns } from '../views/columns.ts'
import { withCluster } from './line.ts'

type ClusterSubject = 'kustomizations' | 'gitrepositories'

export async function tellClusterObjects(
  subject: ClusterSubject,
  name: string | undefined,
  flags: Flags,
  { screen, signal }: CommandContext,
): Promise<number> {
  const kind: ApiKind = subject === 'kustomizations' ? kustomizations : repositories
  const isAll = flags.kube.ofAllNamespaces
  const namespace = flags.namespace ?? home
  const all = await withCluster(flags.kube, async (clusters) => {
    const { kubernetes, discovery } = clusters.local()
    const served = await discovery.find(kind.apiVersion, kind.kind, signal)
    if (served === undefined) throw withoutKind(kind.kind)
    return listObjects(kubernetes, kind, isAll ? {} : { namespace }, signal)
  })
  const chosen = all.objects
    .map(fluxObjectOf)
    .filter((one) => name === undefined || one.name === name)
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
  if (screen.format !== 'table') {
    await screen.document({ [subject]: chosen.map(({ object }) => object) })
    return 0
  }
  if (chosen.length === 0 && name !== undefined) {
    const where = isAll ? '' : ` in ${namespace}`
    const names = all.objects.map((object) => fluxObjectOf(object).name)
    const meant = closest(name, names)
    const others =
      names.length === 0 ? `there are no ${subject}${where}` : `there are: ${names.join(', ')}`
    throw new Problem({
      type: 'configuration',
      code: 'not_found',
      message: `there is no ${kind.kind} ${JSON.stringify(name)}${where}`,
      suggestion: `${meant === undefined ? others : `did you mean ${meant}?`}${isAll ? '' : ' (-A: of all namespaces)'}`,
    })
  }
  if (chosen.length === 0) {
    screen.note(`there are no ${subject}${isAll ? '' : ` in ${namespace} (-A: of all namespaces)`}`)
    return 0
  }
  const head = ['NAME', 'REVISION', 'SUSPENDED', 'READY', 'MESSAGE']
  const rows = chosen.map((one) => rowOf(one, subject))
  const spaces = chosen.map((one) => one.namespace)
  screen.print(
    isAll
      ? columns(
          ['NAMESPACE', ...head],
          rows.map((row, index) => [spaces[index] ?? '', ...row]),
        )
      : columns(head, rows),
  )
  return 0
}

function withoutKind(kind: string): Problem {
  return new Problem({
    type: 'configuration',
    code: 'unknown_kind',
    message: `the cluster has no kind ${kind}`,
    suggestion: 'define it: tend kube install (--kinds: nothing else)',
  })
}

function rowOf(one: FluxObject, subject: ClusterSubject): readonly string[] {
  const { status, name, isSuspended } = one
  const ready = readyOf(one)
  const revision =
    subject === 'kustomizations'
      ? textOf(status['lastAppliedRevision'])
      : textOf(recordOf(status['artifact'])['revision'])
  const [message = ''] = textOf(ready['message']).split('\n')
  return [
    name,
    shortened(revision),
    isSuspended ? 'True' : 'False',
    textOf(ready['status']),
    shortened(message),
  ]
}

/** Commits by their first eight digits, as Flux shows them. */
function shortened(text: string): string {
  return text.replaceAll(/\b([0-9a-f]{8})[0-9a-f]{32,120}\b/g, '$1')
}
