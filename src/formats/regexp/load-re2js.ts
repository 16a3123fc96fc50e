/** Loads re2js when the first pattern is compiled: most commands never need it, and loading it takes longer than their start. */
import { createRequire } from 'node:module'

/** The release replaces this file by one that loads re2js from the release's own parts (release/build.ts). */
export function loadRe2js(): typeof import('re2js') {
  const require = createRequire(import.meta.url)
  return require('re2js')
}
