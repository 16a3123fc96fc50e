/** Configs and secrets of a service, as files that are put into its containers. */
import type { FileMount, Service } from '#formats/compose/schema/file.ts'
import type { FileSpec } from '../spec.ts'
import { byName, seal, type Stage } from './stage.ts'

export function filesOf(stage: Stage, name: string, service: Service): readonly FileSpec[] {
  return (['configs', 'secrets'] as const).flatMap((kind) =>
    (service[kind] ?? []).flatMap((wanted) => fileOf(stage, name, service, kind, wanted) ?? []),
  )
}

function fileOf(
  stage: Stage,
  name: string,
  service: Service,
  kind: 'configs' | 'secrets',
  wanted: FileMount,
): FileSpec | undefined {
  const { source = '' } = wanted
  const content = stage.loaded.contentOf(kind, source)
  if (content === undefined) return undefined
  const target = targetOf(kind, source, wanted.target ?? '')
  const path = byName(stage.model[kind], source)?.file ?? ''
  return {
    target,
    ...(service.read_only === true && path !== '' ? { path: stage.placing.at(path, false) } : {}),
    content: seal(stage, `services.${name}.${kind}.${target}`, content),
    mode: Number.parseInt(wanted.mode || '0444', 8),
    uid: Number(wanted.uid || '0'),
    gid: Number(wanted.gid || '0'),
  }
}

/** A secret is a file below /run/secrets unless its path is whole; a config is one at the root. */
function targetOf(kind: 'configs' | 'secrets', source: string, target: string): string {
  if (target.startsWith('/')) return target
  const name = target === '' ? source : target
  return kind === 'secrets' ? `/run/secrets/${name}` : `/${name}`
}
