/** Makes the dashboard in a folder: hashed names, split where a page is loaded when it is opened, and index.html that names them. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build, type Metafile } from 'esbuild'

const source = join(import.meta.dirname, 'src')

/** Gives what went in, for the list of licences. */
export async function buildDashboard(folder: string): Promise<Metafile> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { metafile } = await build({
    entryPoints: {
      main: join(source, 'main.tsx'),
      layout: join(source, 'graph/layout-worker.ts'),
      style: join(source, 'styles/style.css'),
    },
    outdir: resolve(folder, 'assets'),
    absWorkingDir: join(import.meta.dirname, '..'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2023',
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    metafile: true,
  })
  const page = readFileSync(join(source, 'index.html'), 'utf8')
    .replace('{{main}}', `/assets/${outputOf(metafile, 'main.tsx')}`)
    .replace('{{style}}', `/assets/${outputOf(metafile, 'style.css')}`)
    .replace('{{layout}}', `/assets/${outputOf(metafile, 'layout-worker.ts')}`)
  writeFileSync(join(folder, 'index.html'), page)
  writeFileSync(join(folder, 'icon.svg'), readFileSync(join(source, 'icon.svg')))
  compress(join(folder, 'assets'))
  compress(folder)
  return metafile
}

/** Done once, here: the service gives them away as they are. */
function compress(folder: string): void {
  for (const { name } of readdirSync(folder, { withFileTypes: true }).filter((one) =>
    one.isFile(),
  )) {
    const bytes = readFileSync(join(folder, name))
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes))
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }))
  }
}

/** The file that an entry point became. */
function outputOf({ outputs }: Metafile, entry: string): string {
  const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(entry))
  if (found === undefined) throw new Error(`${entry} gave no file`)
  return basename(found[0])
}

if (import.meta.main) await buildDashboard(join(import.meta.dirname, 'dist'))
