/** How many containers a service has, and what only one of them could have. */
import type { Service } from '#formats/compose/schema/file.ts'
import type { Finding } from './finding.ts'
import type { Path, Stage } from './stage.ts'

/** What was asked for on the command line counts before the file. */
export function countOf({ input }: Stage, name: string, service: Service): number {
  return input.scale?.[name] ?? service.scale ?? service.deploy?.replicas ?? 1
}

/** The engine would find out when the second one is made or started. */
export function crowded(stage: Stage, name: string, service: Service): readonly Finding[] {
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

function* claimsOf(service: Service): Iterable<Claim> {
  const { container_name: own = '', ports = [], networks = {} } = service
  if (own !== '') {
    yield { path: ['container_name'], what: `the name ${own}`, instead: 'take it out' }
  }
  for (const [index, { published: port = '' }] of ports.entries()) {
    if (!/^[1-9]\d*$/.test(port)) continue
    const instead = `publish a range (${port}-${Number(port) + 9}), or leave the choice to the engine`
    yield { path: ['ports', index], what: `port ${port} of the host`, instead }
  }
  for (const [network, settings] of Object.entries(networks)) {
    for (const key of ['ipv4_address', 'ipv6_address'] as const) {
      const address = settings?.[key] ?? ''
      const path = ['networks', network, key]
      if (address !== '') yield { path, what: `the address ${address}`, instead: 'take it out' }
    }
  }
}
