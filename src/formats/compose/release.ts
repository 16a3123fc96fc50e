/** What differs between the releases of docker compose whose behaviour is followed, where it is a matter of writing the resolved model. */
import type { Json, JsonObject } from './node.ts'
import { isArray, isObject } from './shape.ts'

/** The major release: 5 is what people have, 2 what they had. There was none between. */
export type Release = 2 | 5

/** Of a version such as 5.5.1; undefined for what is neither. */
export function releaseOf(version: string): Release | undefined {
  const major = Number(/^v?(\d+)\./.exec(version)?.[1])
  if (major === 2) return 2
  return major >= 5 ? 5 : undefined
}

/** A service as this release prints and hashes it. */
export function writtenService(service: JsonObject, release: Release): JsonObject {
  const written = Object.entries(service).flatMap(([key, value]) => {
    if (key === 'volumes') return [[key, mountsIn(value, release)] as const]
    if (key === 'env_file' && release === 5) return [[key, envFilesIn(value)] as const]
    // release 2 forgets the files once their labels are read
    return key === 'label_file' && release === 2 ? [] : [[key, value] as const]
  })
  return Object.fromEntries(written)
}

/** Only that a file is not required is said. */
function envFilesIn(files: Json): Json {
  if (!isArray(files)) return files
  return files.map((file) => {
    if (!isObject(file) || file['required'] !== true) return file
    const { required: _, ...rest } = file
    return rest
  })
}

/** `create_host_path` is printed when it is not what its absence means: release 2 prints true, release 5 false. */
function mountsIn(volumes: Json, release: Release): Json {
  if (!isArray(volumes)) return volumes
  return volumes.map((volume) => {
    if (!isObject(volume) || !isObject(volume.bind)) return volume
    const { create_host_path: makes, ...bind } = volume.bind
    const isWritten = makes === (release === 2)
    return { ...volume, bind: isWritten ? volume.bind : bind }
  })
}

/** Whether the engine makes a path of the host that is not there, for a mount as it is printed. */
export function createsHostPath(bind: JsonObject, release: Release): boolean {
  return release === 2 ? bind['create_host_path'] === true : bind['create_host_path'] !== false
}
