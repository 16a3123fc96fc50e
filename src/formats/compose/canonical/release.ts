/** What differs between the releases of docker compose whose behaviour is followed, where it is a matter of writing the resolved model. */
import type { Mount, Service } from '../schema/file.ts'

/** The major release: 5 is what people have, 2 what they had. There was none between. */
export type Release = 2 | 5

/** Of a version such as 5.5.1; undefined for what is neither. */
export function releaseOf(version: string): Release | undefined {
  const major = Number(/^v?(\d+)\./.exec(version)?.[1])
  if (major === 2) return 2
  return major >= 5 ? 5 : undefined
}

type EnvFile = NonNullable<Service['env_file']>[number]

/** A service as this release prints and hashes it. Its keys stay in their order. */
export function writtenService(service: Service, release: Release): Service {
  const { volumes, env_file: files } = service
  const written = {
    ...service,
    ...(volumes === undefined ? {} : { volumes: volumes.map((one) => writtenMount(one, release)) }),
    ...(files === undefined || release === 2 ? {} : { env_file: files.map(writtenEnvFile) }),
  }
  if (release === 5) return written
  // release 2 forgets the files once their labels are read
  const { label_file: _, ...rest } = written
  return rest
}

/** Only that a file is not required is said. */
function writtenEnvFile(file: EnvFile): EnvFile {
  if (!file.required) return file
  const { required: _, ...rest } = file
  return rest
}

/** `create_host_path` is printed when it is not what its absence means: release 2 prints true, release 5 false. */
function writtenMount(mount: Mount, release: Release): Mount {
  if (mount.bind === undefined) return mount
  const { create_host_path: makes, ...bind } = mount.bind
  return makes === (release === 2) ? mount : { ...mount, bind }
}

/** Whether the engine makes a path of the host that is not there, for a mount as it is printed. */
export function createsHostPath(bind: NonNullable<Mount['bind']>, release: Release): boolean {
  return release === 2 ? bind.create_host_path === true : bind.create_host_path !== false
}
