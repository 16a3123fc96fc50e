/** Makes the program in a folder: its bundles, the launcher, the list of licences and the manifest for npm. */
import { chmodSync, copyFileSync, writeFileSync } from 'node:fs'
import about from '#package' with { type: 'json' }
import { buildDashboard } from '../web/build.ts'
import { bundle } from './bundle.ts'
import { licensesOf } from './licenses.ts'
import { origin } from './origin.ts'

export async function makeProgram(folder: string): Promise<void> {
  const inputs = [...(await bundle(folder, origin())), await buildDashboard(`${folder}/web`)]
  copyFileSync('release/tend', `${folder}/tend`)
  chmodSync(`${folder}/tend`, 0o755)
  writeFileSync(`${folder}/licenses.json`, `${JSON.stringify(licensesOf(inputs), null, 1)}\n`)
  const { name, version, description, license } = about
  const bin = { tend: 'tend', cutepod: 'tend' }
  const engines = { node: '>=24' }
  const manifest = { name, version, description, license, bin, engines }
  writeFileSync(`${folder}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`)
}
