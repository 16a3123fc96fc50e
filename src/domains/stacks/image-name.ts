/** Which of the images that are there a name in a Compose file means. */

/** As images are listed: Docker leaves its own registry out, Podman writes every registry. */
export function candidatesOf(image: string): readonly string[] {
  const at = image.indexOf('@')
  const name = at < 0 ? image : image.slice(0, at)
  const colon = name.lastIndexOf(':')
  const bare = colon > name.lastIndexOf('/') ? name.slice(0, colon) : name
  const version = at < 0 ? (bare === name ? ':latest' : name.slice(colon)) : image.slice(at)
  const short = bare.replace(/^docker\.io\//, '').replace(/^library\//, '')
  const [first = ''] = short.split('/')
  const hasRegistry = short.includes('/') && (/[.:]/.test(first) || first === 'localhost')
  if (hasRegistry) return [short + version]
  const path = short.includes('/') ? short : `library/${short}`
  const local = bare === short ? [`localhost/${short}${version}`] : []
  return [short + version, ...local, `docker.io/${path}${version}`]
}

export function imageIdOf(image: string, images: ReadonlyMap<string, string>): string | undefined {
  for (const name of candidatesOf(image)) {
    const id = images.get(name)
    if (id !== undefined) return id
  }
  return images.get(image)
}

/** Podman lists ids without what they are digests of. */
export function plainId(id: string): string {
  return id.replace(/^sha256:/, '')
}
