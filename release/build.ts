/**
 * Makes the release in dist/: CommonJS, for Node loads its own modules faster that way than as ES modules.
 * Two files: what parses a command line and prints help, small; and everything else, loaded when there is work, with its
 * machine code beside it.
 */
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { build, type Plugin } from 'esbuild'
import about from '../package.json' with { type: 'json' }
import { keepCode } from './keep-code.ts'

const files = ['tend', 'tend.cjs', 'work.cjs', 'work.code'] as const

/** The seam between the two files. */
const apart: Plugin = {
  name: 'the rest is a file of its own',
  setup(bundling) {
    const path = resolve('release/load-work.ts')
    bundling.onResolve({ filter: /^#cli\/work\.ts$/ }, () => ({ path }))
  },
}

rmSync('dist', { recursive: true, force: true })
mkdirSync('dist')
const shared = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  minify: true,
  charset: 'ascii',
  legalComments: 'none',
  // import() would start the loader of ES modules.
  supported: { 'dynamic-import': false },
} as const
const work = {
  entryPoints: ['src/cli/work.ts'],
  outfile: 'dist/work.cjs',
  banner: { js: '(function (exports, require, module, __filename, __dirname) {' },
  footer: { js: '})' },
}
// The whole program as a hash: what it rendered once it need not render again.
const draft = await build({ ...shared, ...work, write: false } as const)
const hash = createHash('sha256').update(draft.outputFiles[0]!.contents).digest('hex')
const define = { 'process.env.TEND_BUILD': JSON.stringify(hash.slice(0, 16)) }
const main = { entryPoints: ['src/main.ts'], outfile: 'dist/tend.cjs', plugins: [apart] }
await build({ ...shared, ...main })
await build({ ...shared, ...work, define })
copyFileSync('release/tend', 'dist/tend')
chmodSync('dist/tend', 0o755)
await keepCode('dist/tend.cjs')
const { name, version, description } = about
const bin = { tend: 'tend', cutepod: 'tend' }
const manifest = { name, version, description, bin, engines: { node: '>=24' }, files }
writeFileSync('dist/package.json', `${JSON.stringify(manifest, null, 2)}\n`)
for (const file of files) {
  console.log(`dist/${file.padEnd(9)} ${Math.ceil(statSync(`dist/${file}`).size / 1024)} KB`)
}
