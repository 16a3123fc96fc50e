/**
 * Bundles the program: CommonJS, for Node loads its own modules faster that way than as ES modules. In parts, each loaded when
 * it is needed; the first only parses a command line and prints help.
 */
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild'
import type { Origin } from './origin.ts'

type Part = {
  readonly of: string
  readonly entry: string
  /** The parts that need it as a rule, and so have it inside. */
  readonly inside?: readonly string[]
}

/** What is imported when it is needed, and so can be a file of its own. */
export const parts: Readonly<Record<string, Part>> = {
  work: { of: '#cli/work.ts', entry: 'src/cli/work.ts' },
  render: { of: '#domains/charts/render/render.ts', entry: 'src/domains/charts/render/render.ts' },
  schema: { of: '#domains/charts/json-schema.ts', entry: 'src/domains/charts/json-schema.ts' },
  chart: {
    of: '#kinds/charts/load.ts',
    entry: 'src/kinds/charts/load.ts',
    inside: ['work', 'serve'],
  },
  stack: { of: '#kinds/stacks/load.ts', entry: 'src/kinds/stacks/load.ts' },
  fleet: { of: '#kinds/fleet/load.ts', entry: 'src/kinds/fleet/load.ts' },
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
  const entries = globSync(`src/kinds/*/${file}.ts`)
    .toSorted()
    .map((entry): [string, Part] => {
      const kind = basename(dirname(entry))
      return [`${kind}-${file}`, { of: `#kinds/${kind}/${file}.ts`, entry, inside }]
    })
  return Object.fromEntries(entries)
}

/** The engine for patterns is needed at once where it is needed, so that it is loaded without import(). */
const re2jsLoader = "export function loadRe2js() { return require('re2js') }"

/** Only import() is a seam, and two libraries that most parts would have inside: what else a part needs to begin with is in it. */
const seams: Plugin = {
  name: 'parts',
  setup(bundling) {
    const { outfile = '' } = bundling.initialOptions
    bundling.onResolve({ filter: /./ }, ({ path, kind }) => {
      const [name, part] = Object.entries(parts).find(([, { of }]) => of === path) ?? []
      if (part?.inside?.includes(basename(outfile, '.cjs')) === true) return undefined
      const isLibrary =
        (kind === 'require-call' && path === 're2js') ||
        (kind === 'import-statement' && path === 'yaml')
      const isSeam = kind === 'dynamic-import' || isLibrary
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
  legalComments: 'external',
  plugins: [seams],
  // import() would start the loader of ES modules.
  supported: { 'dynamic-import': false },
} satisfies BuildOptions

const wrapped = {
  ...shared,
  banner: { js: '(function (exports, require, module, __filename, __dirname) {' },
  footer: { js: '})' },
} satisfies BuildOptions

/** A Node that is too old says so, and not what it stumbles over first. */
const oldNode = `if (parseInt(process.versions.node, 10) < 24) {
  process.stderr.write('tend: this is Node ' + process.versions.node + ', and Tend needs Node 24 or newer: install it, or take the release that brings its own\\n');
  process.exit(1);
}`

/** Everything that went in, for the list of licences. */
export async function bundle(folder: string, { commit, date }: Origin): Promise<Metafile[]> {
  const built = {
    'process.env.TEND_COMMIT': text(commit),
    'process.env.TEND_COMMIT_DATE': text(date),
  }
  const define = { ...places, ...built, 'process.env.TEND_BUILD': text(await buildHash()) }
  const inputs: Metafile[] = []
  async function make(options: BuildOptions): Promise<void> {
    inputs.push((await build({ ...options, define, metafile: true })).metafile)
  }
  // an older Node has to understand the first file as far as to say that it is too old
  // Some modules of Node's own are only found with `node:` before their name.
  const supported = { ...shared.supported, 'node-colon-prefix-require': true }
  const first = { ...shared, supported, target: 'node12', banner: { js: oldNode } }
  await make({ ...first, entryPoints: ['src/main.ts'], outfile: `${folder}/tend.cjs` })
  for (const [name, { entry }] of Object.entries(parts)) {
    await make({ ...wrapped, entryPoints: [entry], outfile: `${folder}/${name}.cjs` })
  }
  return inputs
}

const places = { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' }

function text(value: string | undefined): string {
  return value === undefined ? 'undefined' : JSON.stringify(value)
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
