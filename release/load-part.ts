/**
 * Loads a file of the release with the machine code that the build kept beside it, so that nothing is compiled at start-up.
 * Code of another Node is refused by the engine itself, and then compiled as ever.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire, Module } from 'node:module'
import { join } from 'node:path'
import { getRawAsset, isSea } from 'node:sea'
import { Script } from 'node:vm'

export function loadPart(name: string): unknown {
  const file = join(__dirname, `${name}.cjs`)
  // The first part of an executable with Tend inside has a `require` that knows only Node's own modules.
  const requireAny = isSea() ? createRequire(process.execPath) : require
  // Each part has this function inside, and all are given one `require`: so a part that several need is loaded once.
  const loaded = requireAny.cache[file]
  if (loaded !== undefined) return loaded.exports
  const kept = join(__dirname, `${name}.code`)
  const module = new Module(file)
  requireAny.cache[file] = module
  // The build writes it in plain ASCII and as the function that Node would make of it: nothing is left to be copied.
  const source = isSea() ? inside(`${name}.cjs`).toString('latin1') : readFileSync(file, 'latin1')
  // A name without its folder: it is kept with the code, and builds in other folders give equal bytes.
  const script = new Script(source, {
    filename: `${name}.cjs`,
    cachedData: isSea() ? inside(`${name}.code`) : codeIn(kept),
  })
  script.runInThisContext()(module.exports, requireAny, module, file, __dirname)
  // The build asks for it: what was compiled by the end of this run is worth keeping.
  if (process.env['TEND_KEEP_CODE'] !== undefined) {
    process.on('exit', () => writeFileSync(kept, script.createCachedData()))
  }
  return module.exports
}

/** A file of a Tend that is one executable, where it lies in memory. */
function inside(name: string): Buffer {
  return Buffer.from(getRawAsset(name))
}

function codeIn(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}
