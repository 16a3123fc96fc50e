/** The definitions of Argo CD's kinds, from its Go module in the module cache. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const module = 'github.com/argoproj/argo-cd/v3@v3.5.1'
const files = ['application-crd.yaml', 'applicationset-crd.yaml', 'appproject-crd.yaml']

/** Their files; fetched by go the first time. */
export function argoCrds(): readonly string[] {
  const words = ['mod', 'download', '-json', module]
  const { stdout, stderr, error } = spawnSync('go', words, { cwd: '/', encoding: 'utf8' })
  const folder = /"Dir": "(.*)"/.exec(stdout ?? '')?.[1]
  if (folder === undefined) throw new Error(`${module}: ${error?.message ?? stderr}${stdout}`)
  return files.map((file) => join(folder, 'manifests', 'crds', file))
}
