/**
 * Makes the release in dist/: CommonJS, for Node loads its own modules faster that way than as ES modules. In parts, each
 * loaded when it is needed, with its machine code beside it; the first only parses a command line and prints help.
 */
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { Script } from 'node:vm'
import { build, type BuildOptions, type Plugin } from 'esbuild'
import about from '../package.json' with { type: 'json' }
import { keepCode } from './keep-code.ts'

type Part = {
  readonly of: string
  readonly entry: string
  /** The parts that need it as a rule, and so have it inside. */
  readonly inside?: readonly string[]
}

/** What is imported when it is needed, and so can be a file of its own. */
const parts: Readonly<Record<string, Part>> = {
  work: { of: '#cli/work.ts', entry: 'src/cli/work.ts' },
  render: { of: '#domains/charts/render.ts', entry: 'src/domains/charts/render.ts' },
  schema: { of: '#domains/charts/json-schema.ts', entry: 'src/domains/charts/json-schema.ts' },
  stack: { of: '#kinds/stacks/load.ts', entry: 'src/kinds/stacks/load.ts' },
  ...ofKinds('render', ['render-process']),
  ...ofKinds('declaration', ['render-process', 'serve']),
  'stack-render': { of: '#cli/stack/render-files.ts', entry: 'src/cli/stack/render-files.ts' },
  'compose-config': {
    of: '#cli/commands/compose/config.ts',
    entry: 'src/cli/commands/compose/config.ts',
  },
  serve: { of: '#cli/commands/serve.ts', entry: 'src/cli/commands/serve.ts' },
  kube: { of: '#cli/kube/verbs.ts', entry: 'src/cli/kube/verbs.ts' },
  'service-verbs': {
    of: '#cli/commands/service-verbs.ts',
    entry: 'src/cli/commands/service-verbs.ts',
  },
  'declaration-schema': {
    of: '#controller/declare/json-schema.ts',
    entry: 'src/controller/declare/json-schema.ts',
  },
  'render-process': {
    of: '#controller/render/render-process.ts',
    entry: 'src/controller/render/render-process.ts',
  },
  yaml: { of: 'yaml', entry: 'yaml' },
  re2js: { of: 're2js', entry: 're2js' },
  age: { of: 'age-encryption', entry: 'age-encryption' },
  openid: { of: 'openid-client', entry: 'openid-client' },
}

/** What the list of kinds loads of each when it is needed. */
function ofKinds(file: string, inside: readonly string[]): Readonly<Record<string, Part>> {
  const entries = globSync(`src/kinds/*/${file}.ts`).map((entry): [string, Part] => {
    const kind = basename(dirname(entry))
    return [`${kind}-${file}`, { of: `#kinds/${kind}/${file}.ts`, entry, inside }]
  })
  return Object.fromEntries(entries)
}

/** The engine for patterns is needed at once where it is needed, so that it is loaded without import(). */
const re2jsLoader = "export function loadRe2js() { return require('re2js') }"

/** Only import() is a seam, and re2js: what a part needs to begin with is in it. */
const seams: Plugin = {
  name: 'parts',
  setup(bundling) {
    const { outfile = '' } = bundling.initialOptions
    bundling.onResolve({ filter: /./ }, ({ path, kind }) => {
      const [name, part] = Object.entries(parts).find(([, { of }]) => of === path) ?? []
      if (part?.inside?.some((one) => outfile === `dist/${one}.cjs`) === true) return undefined
      const isSeam = kind === 'dynamic-import' || (kind === 'require-call' && path === 're2js')
      if (!isSeam || name === undefined) return undefined
      return { path: name, namespace: 'part' }
    })
    bundling.onLoad({ filter: /\/formats\/regexp\/load-re2js\.ts$/ }, () => ({
      contents: re2jsLoader,
      resolveDir: resolve('.'),
    }))
    bundling.onLoad({ filter: /./, namespace: 'part' }, ({ path }) => ({
      contents: `module.exports = require('./release/load-part.ts').loadPart('${path}')`,
      resolveDir: resolve('.'),
    }))
  },
}

const shared = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  minify: true,
  charset: 'ascii',
  legalComments: 'none',
  plugins: [seams],
  // import() would start the loader of ES modules.
  supported: { 'dynamic-import': false },
} satisfies BuildOptions

const wrapped = {
  ...shared,
  banner: { js: '(function (exports, require, module, __filename, __dirname) {' },
  footer: { js: '})' },
} satisfies BuildOptions

rmSync('dist', { recursive: true, force: true })
mkdirSync('dist')
const places = { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' }
const define = { ...places, 'process.env.TEND_BUILD': JSON.stringify(await buildHash()) }
await build({ ...shared, entryPoints: ['src/main.ts'], outfile: 'dist/tend.cjs' })
for (const [name, { entry }] of Object.entries(parts)) {
  await build({ ...wrapped, define, entryPoints: [entry], outfile: `dist/${name}.cjs` })
}
copyFileSync('release/tend', 'dist/tend')
chmodSync('dist/tend', 0o755)
await keepCode('dist/tend.cjs')
for (const name of Object.keys(parts)) keepUnused(name)
const named = Object.keys(parts).flatMap((name) => [`${name}.cjs`, `${name}.code`])
const files = ['tend', 'tend.cjs', ...named]
const { name, version, description } = about
const bin = { tend: 'tend', cutepod: 'tend' }
const manifest = { name, version, description, bin, engines: { node: '>=24' }, files }
writeFileSync('dist/package.json', `${JSON.stringify(manifest, null, 2)}\n`)
for (const file of files) {
  console.log(`dist/${file.padEnd(11)} ${Math.ceil(statSync(`dist/${file}`).size / 1024)} KB`)
}

/** What no command of the build needed is kept as it is compiled at first. */
function keepUnused(name: string): void {
  const [file, kept] = [`dist/${name}.cjs`, `dist/${name}.code`]
  if (existsSync(kept)) return
  writeFileSync(
    kept,
    new Script(readFileSync(file, 'latin1'), { filename: file }).createCachedData(),
  )
}

/** The whole program as a hash: what it rendered once it need not render again. */
async function buildHash(): Promise<string> {
  const entryPoints = Object.values(parts).map(({ entry }) => entry)
  const whole = { ...wrapped, define: places, entryPoints, outdir: 'dist' }
  const { outputFiles } = await build({ ...whole, write: false })
  const hash = createHash('sha256')
  for (const { contents } of outputFiles) hash.update(contents)
  return hash.digest('hex').slice(0, 16)
}
