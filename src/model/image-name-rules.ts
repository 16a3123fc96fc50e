/** Names of images: engines take more for one than what a registry may have. */
import type { Ask } from './policy.ts'

/** Where Podman finds images that no registry has: files of the host, the engines themselves. */
const transports = new Set([
  'atomic',
  'containers-storage',
  'dir',
  'docker',
  'docker-archive',
  'docker-daemon',
  'oci',
  'oci-archive',
  'ostree',
  'sif',
  'tarball',
])
const plainImage = /^[a-z0-9][\w.-]*(:\d+)?(\/[\w.-]+)*(:[\w.-]+)?(@[\w+.-]+:[0-9a-f]+)?$/i

export function asksOfImage(image: string): readonly Ask[] {
  const [scheme = ''] = image.split(':')
  const isPlain = plainImage.test(image) && !image.split('/').includes('..')
  if (isPlain && !(image.includes(':') && transports.has(scheme.toLowerCase()))) return []
  const what = `the image ${image}, which is no plain name of an image,`
  return [{ rule: 'outsideBinds', what, instead: 'write the name of an image' }]
}
