/** How many containers a service has, and what only one of them could have. */
import { numberOf, recordOf, recordsOf, textOf } from '#clients/http/read.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Finding } from './finding.ts'
import type { Path, Stage } from './stage.ts'

/** What was asked for on the command line counts before the file. */
export function countOf({ input }: Stage, name: string, service: JsonRecord): number {
  const asked = input.scale?.[name]
  if (asked !== undefined) return asked
  if (typeof service['scale'] === 'number') return service['scale']
  const replicas = recordOf(service['deploy'])['replicas']
  return typeof replicas === 'number' ? numberOf(replicas) : 1
}

/** The engine would find out when the second one is made or started. */
export function crowded(stage: Stage, name: string, service: JsonRecord): readonly Finding[] {
  const count = countOf(stage, name, service)
  if (count < 2) return []
  return [...claimsOf(service)].map(({ path, what, instead }) => ({
    path: ['services', name, ...path],
    isError: true,
    code: 'unsupported',
    message: `${what} can be given to one container, and ${name} has ${count}`,
    suggestion: `${instead}, or have one`,
  }))
}

type Claim = { readonly path: Path; readonly what: string; readonly instead: string }

function* claimsOf(service: JsonRecord): Iterable<Claim> {
  const own = textOf(service['container_name'])
  if (own !== '') {
    yield { path: ['container_name'], what: `the name ${own}`, instead: 'take it out' }
  }
  for (const [index, { published }] of recordsOf(service['ports']).entries()) {
    const port = textOf(published)
    if (!/^[1-9]\d*$/.test(port)) continue
    const instead = `publish a range (${port}-${Number(port) + 9}), or leave the choice to the engine`
    yield { path: ['ports', index], what: `port ${port} of the host`, instead }
  }
  for (const [network, settings] of Object.entries(recordOf(service['networks']))) {
    for (const key of ['ipv4_address', 'ipv6_address']) {
      const address = textOf(recordOf(settings)[key])
      const path = ['networks', network, key]
      if (address !== '') yield { path, what: `the address ${address}`, instead: 'take it out' }
    }
  }
}
