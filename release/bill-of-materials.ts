/** What a release is made of, for machines: CycloneDX. */
import { createHash } from 'node:crypto'
import type { Licensed } from '#cli/commands/licenses.ts'
import about from '#package' with { type: 'json' }
import type { Origin } from './origin.ts'

export function billOfMaterials(
  parts: readonly Licensed[],
  { commit = 'unknown', date }: Origin,
  nodes: Readonly<Record<string, string>>,
): string {
  const others = parts.filter(({ name }) => name !== about.name)
  const components = others.map(({ name, version, license }) => {
    const isNode = name === 'Node.js'
    return {
      type: isNode ? 'platform' : 'library',
      'bom-ref': `${name}@${version}`,
      name,
      version,
      licenses: [{ license: { id: license } }],
      purl: isNode
        ? `pkg:generic/node@${version}`
        : `pkg:npm/${name.replace('@', '%40')}@${version}`,
      ...(isNode ? { properties: nodeProperties(nodes) } : {}),
    }
  })
  const own = `${about.name}@${about.version}`
  const content = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      ...(date === undefined ? {} : { timestamp: date }),
      component: {
        type: 'application',
        'bom-ref': own,
        name: 'tend',
        version: about.version,
        licenses: [{ license: { id: about.license } }],
        purl: `pkg:npm/${about.name.replace('@', '%40')}@${about.version}`,
        properties: [{ name: 'tend:commit', value: commit }],
      },
    },
    components,
    dependencies: [{ ref: own, dependsOn: components.map((one) => one['bom-ref']) }],
  }
  const serialNumber = `urn:uuid:${uuidOf(JSON.stringify(content))}`
  return `${JSON.stringify({ ...content, serialNumber }, null, 2)}\n`
}

function nodeProperties(nodes: Readonly<Record<string, string>>) {
  return Object.entries(nodes).map(([machine, sum]) => ({
    name: `tend:sha256:bin/node:linux-${machine}`,
    value: sum,
  }))
}

/** Equal for equal content. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
