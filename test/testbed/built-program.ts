/** Where `npm test` says which built Tend its files are to use. Apart from program.ts: whoever only would rather use it does not wait until it is built. */
import { dirname, join } from 'node:path'

export const builtVariable = 'TEND_TEST_PROGRAM'

/** For the pool of a service inside a test: a render process of what is built begins with a third of the processor time of one from source. */
export function builtRenders(): { readonly program?: string } {
  const built = process.env[builtVariable]
  return built === undefined ? {} : { program: join(dirname(built), 'tend.cjs') }
}
