/** A service's volumes and devices written out long. */
import { wrong, type Context } from './canonical-form.ts'
import { failure } from '../compose-error.ts'
import { clean } from '../load/file-path.ts'
import { flag, mapOf, text, type Node } from '../yaml/node.ts'
import type { Path } from '../merge/path-rules.ts'
import { parseVolume } from './volume-spec.ts'
import { defined } from '#model/defined.ts'

export function volumeForm(node: Node, path: Path, { isLenient, unheeded }: Context): Node {
  if (node.kind === 'map') return node
  if (node.kind !== 'text') throw wrong(node, path, 'text or a mapping')
  const parsed = parseVolume(node.value)
  if (typeof parsed === 'string') {
    if (isLenient) return node
    throw failure(node.place, `${path.join('.')}: "${node.value}" is not a volume: ${parsed}`)
  }
  const { place } = node
  for (const option of isLenient ? [] : parsed.unknown) {
    const text = `the option "${option}" of the volume "${node.value}" has no effect`
    if (!unheeded.has(text)) unheeded.set(text, place)
  }
  const { bind } = parsed
  const bindNode = bind && {
    selinux: filled(bind.selinux, node),
    propagation: filled(bind.propagation, node),
    create_host_path: parsed.type === 'bind' ? flag(true, place) : undefined,
  }
  const hasVolume = parsed.isNoCopy || (parsed.type === 'volume' && !parsed.isBare)
  return mapOf(
    {
      type: text(parsed.type, place),
      source: filled(parsed.source, node),
      target: text(clean(parsed.target), place),
      read_only: parsed.isReadOnly ? flag(true, place) : undefined,
      bind: bindNode && mapOf(bindNode, place),
      volume: hasVolume
        ? mapOf({ nocopy: parsed.isNoCopy ? flag(true, place) : undefined }, place)
        : undefined,
    },
    place,
  )
}

function filled(value: string, at: Node): Node | undefined {
  return value === '' ? undefined : text(value, at.place)
}

export function deviceForm(node: Node, path: Path, { isLenient }: Context): Node {
  if (node.kind === 'map') return node
  if (node.kind !== 'text') throw wrong(node, path, 'text or a mapping')
  const parts = node.value.split(':')
  if (parts.length > 3 && !isLenient) {
    throw failure(
      node.place,
      `${path.join('.')}: "${node.value}" has too many colons`,
      'use the long syntax',
    )
  }
  const [source, target, permissions] =
    parts.length > 3 ? ['', '', 'rwm'] : [defined(parts[0]), parts[1] ?? '', parts[2] ?? 'rwm']
  const { place } = node
  return mapOf(
    {
      source: text(source, place),
      target: text(target === '' ? source : target, place),
      permissions: text(permissions, place),
    },
    place,
  )
}
