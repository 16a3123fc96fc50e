/** Few words of a file can stand for millions of ports and waits: such a file is refused before anything is made of it. */
import type { Service } from '#formats/compose/schema/file.ts'
import type { Finding } from './finding.ts'
import { countOf } from './replicas.ts'
import { servicesOf, type Path, type Stage } from './stage.ts'

/** A bridge of the kernel has 1,023 ports. */
const mostContainers = 1_000
/** Each container of a service waits for each container of those that it depends on. */
const mostWaits = 20_000
const lastPort = 65_535
/** Entries of one list or map, such as labels and variables; a service that carries calls publishes ten thousand ports. */
const mostEntries = 5_000
const mostPorts = 20_000
/** An engine tells all labels of all containers with each list, and what a container was made from is one of them. */
const mostLetters = 256_000
const mostLettersOfAll = 4_000_000
/** What a list tells of one port that is published, on both families of addresses, and of one that is only exposed. */
const [ofPublished, ofExposed] = [160, 40]

export function tooLargeFindings(stage: Stage): readonly Finding[] {
  const services = servicesOf(stage)
  const counts = new Map(services.map(([name, service]) => [name, countOf(stage, name, service)]))
  let containers = 0
  let waits = 0
  const short = services.flatMap(([name, service]) => {
    const path = ['services', name]
    const count = counts.get(name) ?? 0
    const needed = Object.keys(service.depends_on ?? {}).map((other) => counts.get(other) ?? 0)
    containers += count
    waits += count * needed.reduce((sum, one) => sum + one, 0)
    const found = [...longLists(path, service), ...oddPorts(path, service)]
    if (containers > mostContainers && containers - count <= mostContainers) {
      const message = `with ${name} the stack has ${containers} containers, more than ${mostContainers}`
      found.push(refused(path, message, 'scale it down, or make several stacks of it'))
    } else if (waits > mostWaits) {
      const message = `its containers wait for others ${waits} times, more than ${mostWaits}`
      found.push(refused([...path, 'depends_on'], message, 'scale one of the services down'))
      waits = 0
    }
    return found
  })
  return [...short, ...longTexts(stage, counts)]
}

/** Few words of a file can stand for many letters too: aliases and variables repeat a text that is written once. */
function* longTexts(stage: Stage, counts: ReadonlyMap<string, number>): Iterable<Finding> {
  const { networks, volumes } = stage.model
  const all: readonly (readonly [Path, object, number, number?])[] = [
    ...servicesOf(stage).map(([name, service]) => {
      const others = { ...service, ports: [], expose: [] }
      return [['services', name], others, counts.get(name) ?? 0, portLetters(service)] as const
    }),
    ...Object.entries(networks).map(([key, one]) => [['networks', key], one, 1] as const),
    ...Object.entries(volumes).map(([key, one]) => [['volumes', key], one, 1] as const),
  ]
  let letters = 0
  for (const [path, declared, count, ofPorts = 0] of all) {
    const size = JSON.stringify(declared).length
    letters += (size + ofPorts) * count
    const name = path.join('.')
    if (size > mostLetters) {
      const message = `${name} has ${size} letters, more than ${mostLetters}`
      yield refused(path, message, 'put long texts into files that it mounts')
    } else if (letters > mostLettersOfAll) {
      const message = `with ${name} what containers, networks and volumes are made from has ${letters} letters, more than ${mostLettersOfAll}`
      yield refused(path, message, 'put long texts into files, or make several stacks of it')
      return
    }
  }
}

function portLetters({ ports = [], expose = [] }: Service): number {
  const exposed = expose.reduce<number>((sum, item) => sum + exposedBy(item), 0)
  return ports.length * ofPublished + exposed * ofExposed
}

function exposedBy(item: string | number): number {
  return sizeOf(String(item).replace(/\/(tcp|udp|sctp)$/, ''))
}

function* longLists(path: Path, service: Service): Iterable<Finding> {
  const parts = [[path, service] as const, [[...path, 'build'], service.build ?? {}] as const]
  for (const [above, part] of parts) {
    for (const [key, value] of Object.entries(part)) {
      const most = key === 'ports' ? mostPorts : mostEntries
      const size = typeof value === 'object' && value !== null ? Object.keys(value).length : 0
      if (size <= most) continue
      const message = `${key} has ${size} entries, more than ${most}`
      yield refused([...above, key], message, 'make it shorter')
    }
  }
}

function* oddPorts(path: Path, { ports = [], expose = [] }: Service): Iterable<Finding> {
  for (const [index, { published = '' }] of ports.entries()) {
    if (published === '' || sizeOf(published) > 0) continue
    const what = `"${published}" is no port of the host and no range of them`
    yield refused([...path, 'ports', index], what, advice)
  }
  let exposed = 0
  for (const [index, item] of expose.entries()) {
    const size = exposedBy(item)
    exposed += size
    const what = `"${item}" is no port and no range of them`
    if (size === 0) yield refused([...path, 'expose', index], what, advice)
  }
  if (exposed > 3 * lastPort) {
    yield refused(
      [...path, 'expose'],
      `${exposed} ports are exposed`,
      'there are fewer: name each once',
    )
  }
}

const advice = `write one up to ${lastPort}, or two of them as 8000-8010`

/** How many ports it stands for; 0: it is none. */
function sizeOf(range: string): number {
  const [, first = '', last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(range) ?? []
  if (first === '' || Number(last) > lastPort) return 0
  return Math.max(0, Number(last) - Number(first) + 1)
}

function refused(path: Path, message: string, suggestion: string): Finding {
  return { path, isError: true, code: 'compose_error', message, suggestion }
}
