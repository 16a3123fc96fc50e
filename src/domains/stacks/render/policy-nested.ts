/** Refuses a bind that lies in a folder which a container of the same application may write. */
import { normalize } from 'node:path/posix'
import { recordOf, recordsOf, textOf } from '#clients/http/read.ts'
import type { JsonRecord } from '#model/json.ts'
import { nestedIn, type Bind } from '#model/nested-binds.ts'
import { deviceOf } from './placing.ts'
import type { PlacedAsk } from './policy-ask.ts'
import { placeAt, servicesOf, type Path, type Stage } from './stage.ts'

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

function bindsOf(stage: Stage, name: string, service: JsonRecord): readonly Named[] {
  const mounts = recordsOf(service['volumes']).flatMap((volume, index): readonly Named[] => {
    const isWritable = volume['read_only'] !== true
    const at = ['services', name, 'volumes', index]
    const source = textOf(volume['source'])
    if (volume['type'] === 'bind') return [bindOf(stage, name, source, isWritable, at)]
    const device = deviceOf(recordOf(stage.model['volumes'])[source])
    return device === undefined ? [] : [bindOf(stage, name, device, true, at)]
  })
  if (service['read_only'] !== true) return mounts
  const files = (['configs', 'secrets'] as const).flatMap((kind) =>
    recordsOf(service[kind]).flatMap(({ source }, index) => {
      const file = textOf(recordOf(recordOf(stage.model[kind])[textOf(source)])['file'])
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
function partsOf(stage: Stage, service: string, words: JsonRecord): readonly Named[] {
  return recordsOf(words['volumes']).flatMap((volume, index) => {
    const source = textOf(volume['source'])
    if (volume['type'] !== 'volume' || source === '') return []
    const object = textOf(recordOf(recordOf(stage.model['volumes'])[source])['name']) || source
    const part = textOf(recordOf(volume['volume'])['subpath'])
    const shown = part === '' ? `volume ${source}` : `${part} of volume ${source}`
    const path = normalize(`volume ${object}/${part}`)
    const at = ['services', service, 'volumes', index]
    return [{ service, path, isWritable: volume['read_only'] !== true, shown, at }]
  })
}
