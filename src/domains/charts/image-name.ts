/** Which of the images that are there a name in a chart means. */

/** As images are listed: with registry, path and tag. Names without a registry may be local or of docker.io. */
export function candidatesOf(image: string): readonly string[] {
  const tagged =
    image.includes('@sha256:') || image.lastIndexOf(':') > image.lastIndexOf('/')
      ? image
      : `${image}:latest`
  const [first = ''] = image.split('/')
  const hasRegistry = image.includes('/') && (/[.:]/.test(first) || first === 'localhost')
  if (hasRegistry) return [tagged]
  const path = image.includes('/') ? tagged : `library/${tagged}`
  return [`localhost/${tagged}`, `docker.io/${path}`, tagged]
}

export function imageIdOf(image: string, images: ReadonlyMap<string, string>): string | undefined {
  for (const name of candidatesOf(image)) {
    const id = images.get(name)
    if (id !== undefined) return id
  }
  return undefined
}
