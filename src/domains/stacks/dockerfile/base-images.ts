/** The images that the stages of a Dockerfile start from, as far as lines tell: for logins, and for nothing that is judged. */
export function baseImages(dockerfile: string): readonly string[] {
  const images = dockerfile.split('\n').flatMap((line) => {
    const [, image] = /^\s*FROM\s+(?:--\S*\s+)*(\S+)/i.exec(line) ?? []
    return image === undefined ? [] : [image]
  })
  return [...new Set(images)]
}
