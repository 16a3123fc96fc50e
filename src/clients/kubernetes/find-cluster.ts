/** Finds the cluster to speak to, in the order that users of kubectl expect, or says what was tried. */
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { Problem } from '#model/problem.ts'
import type { ClusterAccess } from './cluster-access.ts'
import { accessFrom } from './kubeconfig.ts'
import { tokenFromFile } from './token-file.ts'

export type ClusterSurroundings = {
  /** The file that the user named. */
  readonly kubeconfig?: string | undefined
  readonly context?: string | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** The folder in which a pod finds its token, authority and namespace. */
  readonly account: string
  read(path: string): string | undefined
}

const usualAccount = '/var/run/secrets/kubernetes.io/serviceaccount'

export function clusterSurroundings(kubeconfig?: string, context?: string): ClusterSurroundings {
  const account = process.env['TEND_ACCOUNT_FOLDER'] ?? usualAccount
  return { kubeconfig, context, environment: process.env, home: homedir(), account, read }
}

/** The cluster that was named; else that of KUBECONFIG; else that of ~/.kube/config; else the one that Tend runs in. */
export function findCluster(around: ClusterSurroundings): ClusterAccess {
  const named = around.kubeconfig === undefined ? undefined : [around.kubeconfig]
  const listed = around.environment['KUBECONFIG']?.split(delimiter).filter((path) => path !== '')
  const usual = join(around.home, '.kube', 'config')
  const paths = named ?? (listed?.length ? listed : [usual])
  const files = paths.flatMap((name) => {
    const text = around.read(name)
    return text === undefined ? [] : [{ name, text }]
  })
  if (files.length > 0) {
    return accessFrom(files, {
      context: around.context,
      read: (path, from) => beside(around, path, from),
    })
  }
  const inside = named === undefined && around.context === undefined ? inCluster(around) : undefined
  if (inside !== undefined) return inside
  throw nothing(paths, named !== undefined)
}

/** In a pod the address is in the environment, and the rest in the files of its service account. */
function inCluster(around: ClusterSurroundings): ClusterAccess | undefined {
  const host = around.environment['KUBERNETES_SERVICE_HOST']
  const port = around.environment['KUBERNETES_SERVICE_PORT'] || '443'
  const file = (name: string) => around.read(join(around.account, name))
  if (!host || file('token') === undefined) return undefined
  const ca = file('ca.crt')
  const namespace = file('namespace')?.trim()
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    isVerified: true,
    isInside: true,
    ...(ca === undefined ? {} : { ca }),
    ...(namespace ? { namespace } : {}),
    credential: tokenFromFile(() => file('token') ?? '', {}),
  }
}

function beside(around: ClusterSurroundings, path: string, from: string): string {
  const whole = isAbsolute(path) ? path : join(dirname(from), path)
  const text = around.read(whole)
  if (text !== undefined) return text
  const message = `${whole} can't be read, which the kubeconfig ${from} names`
  throw new Problem({ type: 'configuration', code: 'bad_reference', message })
}

function nothing(paths: readonly string[], isNamed: boolean): Problem {
  return new Problem({
    type: 'configuration',
    code: 'unreachable',
    message: isNamed
      ? `the kubeconfig ${paths[0]} can't be read`
      : 'no Kubernetes cluster was found',
    suggestion: 'name a kubeconfig with --kubeconfig FILE, or set KUBECONFIG',
    details: [
      ...paths.map((path) => `tried: ${path}`),
      ...(isNamed ? [] : ['tried: the cluster that this runs in (no service account)']),
    ],
  })
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // without the file the next place is tried
    return undefined
  }
}
