/**
 * Makes the release in dist/: CommonJS, for Node loads its own modules faster that way than as ES modules.
 * Two files: what parses a command line and prints help, small; and everything else, loaded when there is work.
 */
import { chmodSync, copyFileSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { build, type Plugin } from 'esbuild'
import about from '../package.json' with { type: 'json' }

const rest = '#cli/work.ts'

/** The seam between the two files. */
const apart: Plugin = {
  name: 'the rest is a file of its own',
  setup(bundling) {
    bundling.onResolve({ filter: new RegExp(`^${rest}$`) }, () => ({
      path: './work.cjs',
      external: true,
    }))
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
  // A seam by require(): import() would start the loader of ES modules.
  supported: { 'dynamic-import': false },
  legalComments: 'none',
} as const
await build({
  ...shared,
  entryPoints: ['src/main.ts'],
  outfile: 'dist/tend.cjs',
  plugins: [apart],
})
await build({ ...shared, entryPoints: ['src/cli/work.ts'], outfile: 'dist/work.cjs' })
copyFileSync('release/tend', 'dist/tend')
chmodSync('dist/tend', 0o755)
const { name, version, description } = about
const bin = { tend: 'tend', cutepod: 'tend' }
const engines = { node: '>=24' }
const manifest = {
  name,
  version,
  description,
  bin,
  engines,
  files: ['tend', 'tend.cjs', 'work.cjs'],
}
writeFileSync('dist/package.json', `${JSON.stringify(manifest, null, 2)}\n`)
for (const file of ['tend.cjs', 'work.cjs']) {
  console.log(`dist/${file}  ${Math.round(statSync(`dist/${file}`).size / 1024)} KB`)
}
