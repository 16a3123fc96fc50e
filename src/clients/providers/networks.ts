/** Networks that clusters share, on the engine that runs their nodes. */
import { Problem, problemOf } from '#model/problem.ts'
import { recordOf, recordsOf, textOf } from '#clients/http/read.ts'
import { isList, type Json } from '#model/json.ts'
import { call } from './call.ts'
import type { ProgramSettings } from './provider.ts'

export type Network = { readonly name: string; readonly subnet: string | undefined }

/** Made where it is missing; one that is there is never changed. Says which. */
export async function ensureNetwork(
  engine: Pick<ProgramSettings, 'program' | 'environment' | 'key'>,
  { name, subnet }: Network,
  signal: AbortSignal,
): Promise<'made' | 'there'> {
  const ask = (...words: readonly string[]): Promise<string> =>
    call({ settings: engine, words: ['network', ...words], signal })
  const found = await subnetsOf(ask, name)
  if (found === undefined) {
    const more = subnet === undefined ? [] : ['--subnet', subnet]
    await ask('create', '--driver', 'bridge', '--label', 'tend-fleet', ...more, name)
    return 'made'
  }
  if (subnet !== undefined && !found.includes(subnet)) throw other(name, subnet, found)
  return 'there'
}

/** Undefined: there is no such network. */
async function subnetsOf(
  ask: (...words: readonly string[]) => Promise<string>,
  name: string,
): Promise<readonly string[] | undefined> {
  const names = (await ask('ls', '--format', '{{.Name}}')).split('\n').map((line) => line.trim())
  if (!names.includes(name)) return undefined
  try {
    const list: Json = JSON.parse(await ask('inspect', name))
    const [network] = recordsOf(isList<Json>(list) ? list : [])
    const old = recordsOf(recordOf(network?.['IPAM'])['Config']).map((one) => textOf(one['Subnet']))
    const own = recordsOf(network?.['subnets']).map((one) => textOf(one['subnet']))
    return [...old, ...own]
  } catch (thrown) {
    throw problemOf(thrown)
  }
}

function other(name: string, wanted: string, found: readonly string[]): Problem {
  return new Problem({
    type: 'runtime',
    code: 'name_taken',
    message: `the network ${name} has the subnet ${found.join(', ') || 'of another kind'}, not ${wanted}`,
    suggestion: 'name another network or this subnet in fleet.yaml: networks',
  })
}
