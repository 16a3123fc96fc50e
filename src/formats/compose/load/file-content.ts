/** What a config or secret holds, wherever it comes from. */
import { failure } from '../compose-error.ts'
import { mapAt, type MapNode } from '../yaml/node.ts'
import { secretValue } from './resolve-sources.ts'
import { absolute, bytesAt, confine, openedBytes, type Session } from './session.ts'

/** Undefined when it is external or has none. */
export function contentOf(
  session: Session,
  root: MapNode,
  kind: 'configs' | 'secrets',
  name: string,
): Uint8Array | undefined {
  const resource = mapAt(mapAt(root, kind) ?? root, name)
  if (resource === undefined) return undefined
  const value = resource.entries.get(kind === 'secrets' ? secretValue : 'content')
  if (value?.kind === 'text') return new TextEncoder().encode(value.value)
  const file = resource.entries.get('file')
  if (file?.kind !== 'text') return undefined
  confine(session, file.value, file.place)
  const bytes = bytesAt(session, absolute(session, file.value), file.place)
  if (bytes === undefined) throw failure(file.place, `${file.value} does not exist`)
  return kind === 'secrets' ? openedBytes(session, file.value, bytes, file.place) : bytes
}
