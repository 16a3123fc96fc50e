/** npm run conformance -- SUITE [FILE…]: runs the case files of one language. */

const suites: Readonly<
  Record<string, () => Promise<{ run(files: readonly string[]): boolean | Promise<boolean> }>>
> = {
  charts: () => import('./charts.ts'),
  compose: () => import('./compose.ts'),
  gotemplate: () => import('./gotemplate.ts'),
  kstatus: () => import('./kstatus.ts'),
  kustomize: () => import('./kustomize.ts'),
}

const [name = '', ...files] = process.argv.slice(2)
const load = suites[name]
if (load === undefined) {
  console.error(`usage: npm run conformance -- ${Object.keys(suites).join('|')} [FILE…]`)
  process.exitCode = 2
} else {
  const suite = await load()
  process.exitCode = (await suite.run(files)) ? 0 : 1
}
