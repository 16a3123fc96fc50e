/** Where the dashboard's files are: beside the program in a release, in web/dist of a checkout once they are built. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const places = ['web', '../../../web/dist'] as const

/** Undefined: a checkout in which nobody has built them. */
export function dashboardFolder(beside = import.meta.dirname): string | undefined {
  return places
    .map((place) => join(beside, place))
    .find((folder) => existsSync(join(folder, 'index.html')))
}
