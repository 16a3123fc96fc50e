/** Charts for tests, made of texts. */
import type { Tree } from '#model/tree.ts'
import type { ChartInput } from '#domains/charts/chart-input.ts'
import { defined } from '#model/defined.ts'

export function treeOf(files: Readonly<Record<string, string>>): Tree {
  const paths = Object.keys(files).toSorted()
  return {
    root: './my-app',
    list: (folder) =>
      folder === '' ? paths : paths.filter((path) => path.startsWith(`${folder}/`)),
    read: (path) => (Object.hasOwn(files, path) ? Buffer.from(defined(files[path])) : undefined),
  }
}

/** A chart named my-app; what is given here overrides its files. */
export function input(files: Readonly<Record<string, string>>): ChartInput {
  return {
    tree: treeOf({ 'Chart.yaml': 'name: my-app\nversion: 1.2.3\n', ...files }),
    namespace: null,
    layers: [],
    since: 1_700_000_000_000,
    seed: new Uint8Array(32).fill(7),
    environment: { ALLOWED: 'from the environment' },
  }
}

/** One manifest of the usual form, its spec indented by two. */
export function manifest(kind: string, name: string, spec: string): string {
  const body = spec.replace(/^(?=.)/gm, '  ')
  return `apiVersion: cutepod/v1alpha0\nkind: ${kind}\nmetadata:\n  name: ${name}\nspec:\n${body}\n`
}
