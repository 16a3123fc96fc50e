/** Whether two names are of one image: engines write the registry that is meant when none is named. Pure. */

export function isSameImage(one: string, other: string): boolean {
  const [left, right] = [partsOf(one), partsOf(other)]
  if (left.digest !== '' && right.digest !== '') return left.digest === right.digest
  // k3d finds the release of a channel by itself: latest, stable, v1.31
  if (!one.includes(':') && left.digest === '') return true
  if (left.digest !== '' || right.digest !== '') {
    return left.repository === right.repository
  }
  return left.repository === right.repository && left.tag === right.tag
}

function partsOf(name: string) {
  const [place = '', digest = ''] = name.split('@')
  const colon = place.lastIndexOf(':')
  const hasTag = colon > place.lastIndexOf('/')
  const repository = (hasTag ? place.slice(0, colon) : place)
    .replace(/^docker\.io\//, '')
    .replace(/^library\//, '')
  return { repository, tag: hasTag ? place.slice(colon + 1) : 'latest', digest }
}
