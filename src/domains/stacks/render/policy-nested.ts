/** Refuses a bind that lies in a folder which a container of the same application may write. */
import { normalize } from 'node:path/posix'
import type { Service } from '#formats/compose/schema/file.ts'
import { nestedIn, type Bind } from '#model/nested-binds.ts'
import { deviceOf } from './placing.ts'
import type { PlacedAsk } from './policy-ask.ts'
import { byName, placeAt, servicesOf, type Path, type Stage } from './stage.ts'

type Named = Bind & {
  readonly service: string
  /** As its author sees it. */
  readonly shown: string
  readonly at: Path
}

export function nestedAsks(stage: Stage): readonly PlacedAsk[] {
  if (stage.input.policy.outsideBinds === 'allow') return []
  const binds = servicesOf(stage).flatMap(([name, service]) => [
    ...bindsOf(stage, name, service),
    ...partsOf(stage, name, service),
  ])
  return nestedIn(binds).map(({ inner, outer }) => {
    const { file, line } = placeAt(stage, outer.at)
    const where = `${outer.service} may write (${file}:${line})`
    const what = `${inner.service}: ${inner.shown} lies in ${outer.shown}, which ${where}; its mount`
    const instead =
      'mount only one of the two, mount the outer one read-only (:ro), or keep what is written in a named volume'
    return { rule: 'outsideBinds', what, instead, path: inner.at }
  })
}

function bindsOf(stage: Stage, name: string, service: Service): readonly Named[] {
  const mounts = (service.volumes ?? []).flatMap((volume, index): readonly Named[] => {
    const { type, source = '' } = volume
    const isWritable = volume.read_only !== true
    const at = ['services', name, 'volumes', index]
    if (type === 'bind') return [bindOf(stage, name, source, isWritable, at)]
    const device = deviceOf(byName(stage.model.volumes, source) ?? {})
    return device === undefined ? [] : [bindOf(stage, name, device, true, at)]
  })
  if (service.read_only !== true) return mounts
  const files = (['configs', 'secrets'] as const).flatMap((kind) =>
    (service[kind] ?? []).flatMap(({ source = '' }, index) => {
      const { file = '' } = byName(stage.model[kind], source) ?? {}
      const at = ['services', name, kind, index]
      return file === '' ? [] : [bindOf(stage, name, file, false, at)]
    }),
  )
  return [...mounts, ...files]
}

function bindOf(
  stage: Stage,
  service: string,
  source: string,
  isWritable: boolean,
  at: Path,
): Named {
  const { placing, root } = stage
  const tidy = normalize(source)
  const shown = tidy.startsWith(`${root}/`) ? tidy.slice(root.length + 1) : tidy
  return {
    service,
    path: normalize(placing.at(source, isWritable)),
    isWritable,
    shown: tidy === root ? 'the whole folder' : shown,
    at,
  }
}

/** A part of a named volume is a bind of a path inside of it. */
function partsOf(stage: Stage, service: string, { volumes = [] }: Service): readonly Named[] {
  return volumes.flatMap(({ type, source = '', volume, read_only: isReadOnly }, index) => {
    if (type !== 'volume' || source === '') return []
    const object = byName(stage.model.volumes, source)?.name || source
    const part = volume?.subpath ?? ''
    const shown = part === '' ? `volume ${source}` : `${part} of volume ${source}`
    const path = normalize(`volume ${object}/${part}`)
    const at = ['services', service, 'volumes', index]
    return [{ service, path, isWritable: isReadOnly !== true, shown, at }]
  })
}
