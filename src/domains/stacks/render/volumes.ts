/** Named volumes of the project: made under `project_name`, or there already when they are external. */
import type { Volume } from '#formats/compose/schema/file.ts'
import { refOf } from '#model/ref.ts'
import type { Resource } from '#model/resource.ts'
import type { VolumeSpec } from '../spec.ts'
import { deviceOf } from './placing.ts'
import { filled, placeAt, type Stage } from './stage.ts'

export function volumeResources(stage: Stage): readonly Resource[] {
  return Object.entries(stage.model.volumes).map(([name, volume]) => ({
    ref: refOf('volume', name),
    spec: specOf(stage, name, volume),
    needs: [],
    origin: placeAt(stage, ['volumes', name]),
    problems: [],
  }))
}

function specOf(
  { project, placing, composeVersion }: Stage,
  name: string,
  volume: Volume,
): VolumeSpec {
  const about = { project, name, composeVersion }
  const object = volume.name ?? ''
  if (volume.external === true) return { object, isExternal: true, about }
  const device = deviceOf(volume)
  const options = volume.driver_opts ?? {}
  return {
    object,
    isExternal: false,
    ...filled({
      driver: volume.driver ?? '',
      options: device === undefined ? options : { ...options, device: placing.at(device, true) },
      labels: volume.labels ?? {},
    }),
    about,
  }
}
