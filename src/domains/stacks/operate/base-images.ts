/** The images that a Dockerfile starts from. */

/** Line by line: one pattern over the whole text would take a time that grows with the square of its empty lines. */
export function baseImages(dockerfile: string): readonly string[] {
  return dockerfile.split('\n').flatMap((line) => {
    const [, image] = /^[ \t]*FROM[ \t]+(?:--\S+[ \t]+)*(\S+)/i.exec(line.slice(0, 4096)) ?? []
    return image === undefined ? [] : [image]
  })
}
