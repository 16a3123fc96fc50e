/** The demo's clusters: a fleet of two real control planes by kwok, where its programs were built already. Nothing runs in their pods. */
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { goToolPath, missingOf, type GoTool } from '../test/testbed/go-tools.ts'
import { whereIs } from '../test/testbed/packages.ts'

const tools = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubectl',
  'kwok',
  'kwokctl',
] as const satisfies readonly GoTool[]

export type Clusters = {
  /** Of the first cluster, where the kustomization is applied. */
  readonly kubeconfig: string
}

/** Undefined where they can't be had, and then it says what would bring them. */
export function clustersUp(home: string, env: NodeJS.ProcessEnv): Clusters | undefined {
  const missing = [...missingOf(tools), ...(whereIs('etcd') === undefined ? ['etcd'] : [])]
  if (missing.length > 0) {
    console.log(`\nLeft out: a fleet and a kustomization, for want of ${missing.join(', ')}.`)
    const builds = `bin/set-up node test/testbed/go-tools.ts ${tools.join(' ')}`
    console.log(`To have them:   apt-get install -y etcd-server golang; ${builds}`)
    return undefined
  }
  const kubeconfig = join(home, 'east.kubeconfig')
  const tend = (...words: readonly string[]): void => shown('bin/tend', words, env)
  console.log('\nA fleet: two clusters from a table\n')
  if (!existsSync(join(home, 'fleet.db'))) {
    writeFileSync(join(home, 'fleet.yaml'), settings(home))
    tend('fleet', 'init')
    for (const name of ['east', 'west']) tend('fleet', 'add', name, '--provider', 'kwok')
  }
  tend('fleet', 'reconcile', '--from-db')
  writeFileSync(kubeconfig, said('bin/tend', ['fleet', 'kubeconfig', 'east'], env), { mode: 0o600 })
  // a node on which pods become ready
  const scale = ['scale', 'node', '--name', 'east', '--replicas', '1']
  said(goToolPath('kwokctl'), scale, { ...env, KWOK_WORKDIR: join(home, 'kwok') })
  tend('fleet', 'list')
  return { kubeconfig }
}

export function clustersDown(home: string, env: NodeJS.ProcessEnv): void {
  if (!existsSync(join(home, 'fleet.db'))) return
  shown('bin/tend', ['fleet', 'clean', '--all'], env)
  rmSync(join(home, 'kwok'), { recursive: true, force: true })
}

function settings(home: string): string {
  return `providers:
  kwok:
    program: ${goToolPath('kwokctl')}
    folder: ${join(home, 'kwok')}
    config:
      options:
        etcdBinary: ${whereIs('etcd')}
        kubeApiserverBinary: ${goToolPath('kube-apiserver')}
        kubeControllerManagerBinary: ${goToolPath('kube-controller-manager')}
        kubeSchedulerBinary: ${goToolPath('kube-scheduler')}
        kwokControllerBinary: ${goToolPath('kwok')}
        kubectlBinary: ${goToolPath('kubectl')}
`
}

function shown(program: string, words: readonly string[], env: NodeJS.ProcessEnv): void {
  console.log(`$ tend ${words.join(' ')}\n`)
  const { status } = spawnSync(program, words, { env, stdio: 'inherit' })
  console.log('')
  if (status !== 0) throw new Error(`tend ${words.join(' ')} ended with ${status}`)
}

function said(program: string, words: readonly string[], env: NodeJS.ProcessEnv): string {
  const { status, stdout, stderr } = spawnSync(program, words, { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${stderr}`)
  return stdout
}
