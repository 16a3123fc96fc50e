/** `extends`: a service laid on top of another one, of the same file or of another. */
import { withoutCleared } from '../merge/reset-and-override.ts'
import { failure } from '../compose-error.ts'
import { mergeService } from '../merge/merge.ts'
import { map, withEntry, withoutEntry, type MapNode, type Node } from '../yaml/node.ts'
import type { Release } from '../canonical/release.ts'
import type { Path } from '../merge/path-rules.ts'
import type { SourceLocation } from '../yaml/source.ts'
import { didYouMean } from '../schema/suggest.ts'
import { defined } from '#model/defined.ts'

/** The services of one file. `cleared` is what that file resets in the services it builds upon. */
export type Book = {
  readonly file: string
  readonly services: Map<string, Node>
  readonly cleared: readonly Path[]
}

type LoadBook = (file: string, place: SourceLocation) => Book

export function applyExtends(
  root: MapNode,
  file: string,
  cleared: readonly Path[],
  loadBook: LoadBook,
  release: Release,
): MapNode {
  const services = root.entries.get('services')
  if (services === undefined) return root
  if (services.kind !== 'map') throw failure(services.place, 'services must be a mapping')
  const book: Book = { file, services: new Map(services.entries), cleared }
  for (const name of services.entries.keys()) extended(name, book, [], { loadBook, release })
  return withEntry(root, 'services', map(book.services, services.place))
}

/** More than anyone chains by hand. */
const longestChain = 200

type Link = { readonly file: string; readonly service: string }

/** The service with all that it extends, or undefined when there is nothing under its name. */
function extended(
  name: string,
  book: Book,
  chain: readonly Link[],
  from: { readonly loadBook: LoadBook; readonly release: Release },
): MapNode | undefined {
  const service = book.services.get(name)
  if (service === undefined || service.kind === 'null') return undefined
  if (service.kind !== 'map') throw failure(service.place, `services.${name} must be a mapping`)
  const reference = service.entries.get('extends')
  if (reference === undefined) return service
  const { target, file } = referenceOf(reference, name)
  const link = { file: book.file, service: name }
  checkChain([...chain, link], reference)
  const base = file === undefined ? book : from.loadBook(file.value, file.place)
  if (!base.services.has(target)) {
    const where = file === undefined ? 'this file' : file.value
    const message = `services.${name} extends "${target}", which is not a service of ${where}`
    throw failure(reference.place, message, didYouMean(target, base.services.keys()))
  }
  const below = extended(target, base, [...chain, link], from)
  if (below === undefined) return service
  const cleared = book.cleared
    .filter((path) => path[0] === 'services' && path[1] === name)
    .map((path) => path.slice(2))
  const merged = withoutEntry(
    mergeService(withoutCleared(below, cleared), service, from.release),
    'extends',
  )
  book.services.set(name, { ...merged, place: service.place })
  return merged
}

function referenceOf(
  reference: Node,
  name: string,
): { target: string; file: { value: string; place: SourceLocation } | undefined } {
  if (reference.kind === 'text') return { target: reference.value, file: undefined }
  const target = reference.kind === 'map' ? reference.entries.get('service') : undefined
  if (reference.kind !== 'map' || target?.kind !== 'text') {
    throw failure(reference.place, `services.${name}.extends names no service`, 'add service:')
  }
  const file = reference.entries.get('file')
  if (file === undefined || file.kind === 'null') return { target: target.value, file: undefined }
  if (file.kind !== 'text')
    throw failure(file.place, `services.${name}.extends.file must be a path`)
  return { target: target.value, file }
}

function checkChain(chain: readonly Link[], reference: Node): void {
  const last = defined(chain.at(-1))
  const first = chain.findIndex((link) => link.file === last.file && link.service === last.service)
  if (first !== chain.length - 1) {
    const circle = chain.slice(first).map(({ file, service }) => `${service} in ${file}`)
    throw failure(
      reference.place,
      `services extend each other in a circle: ${circle.join(', which extends ')}`,
    )
  }
  if (chain.length > longestChain) {
    throw failure(
      reference.place,
      `more than ${longestChain} services extend one another in a chain`,
    )
  }
}
