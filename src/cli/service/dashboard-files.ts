/** The dashboard's files: inside or beside the program in a release, in web/dist of a checkout once they are built. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getAssetKeys, getRawAsset, isSea } from 'node:sea'
import type { SiteFiles } from '#server/site.ts'

const places = ['web', '../../../web/dist'] as const
const prefix = 'web'

/** Undefined: a checkout in which nobody has built them. */
export function dashboardFiles(beside = import.meta.dirname): SiteFiles | undefined {
  if (isSea()) return filesInside()
  const folder = places
    .map((place) => join(beside, place))
    .find((one) => existsSync(join(one, 'index.html')))
  return folder === undefined ? undefined : filesBelow(folder)
}

export function filesBelow(folder: string): SiteFiles {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
  const start = join(folder, '/').length - 1
  return new Map(paths.map((path) => [path.slice(start), readFileSync(path)]))
}

/** Of a Tend that is one executable. */
function filesInside(): SiteFiles {
  const names = getAssetKeys().filter((name) => name.startsWith(`${prefix}/`))
  return new Map(names.map((name) => [name.slice(prefix.length), Buffer.from(getRawAsset(name))]))
}
