/** Named volumes of the project: made under `project_name`, or there already when they are external. */
import { recordOf, textMapOf, textOf } from '#clients/http/read.ts'
import type { JsonRecord } from '#model/json.ts'
import { refOf } from '#model/ref.ts'
import type { Resource } from '#model/resource.ts'
import type { VolumeSpec } from '../spec.ts'
import { deviceOf } from './placing.ts'
import { filled, placeAt, type Stage } from './stage.ts'

export function volumeResources(stage: Stage): readonly Resource[] {
  const volumes = recordOf(stage.model['volumes'])
  return Object.keys(volumes).map((name) => ({
    ref: refOf('volume', name),
    spec: specOf(stage, name, recordOf(volumes[name])),
    needs: [],
    origin: placeAt(stage, ['volumes', name]),
    problems: [],
  }))
}

function specOf(
  { project, placing, composeVersion }: Stage,
  name: string,
  volume: JsonRecord,
): VolumeSpec {
  const about = { project, name, composeVersion }
  const object = textOf(volume['name'])
  if (volume['external'] === true) return { object, isExternal: true, about }
  const device = deviceOf(volume)
  const options = textMapOf(volume['driver_opts'])
  return {
    object,
    isExternal: false,
    ...filled({
      driver: textOf(volume['driver']),
      options: device === undefined ? options : { ...options, device: placing.at(device, true) },
      labels: textMapOf(volume['labels']),
    }),
    about,
  }
}
