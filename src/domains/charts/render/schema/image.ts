/** The name of an image: a registry, a path in small letters, a tag, a digest. */
import { bad, rule, type Fault } from '#formats/schema/rule.ts'
import { filled } from '#formats/schema/terms.ts'

const host =
  /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9-]+)*|\[[0-9a-fA-F:]+\])(?::\d+)?$/
const part = /^[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*$/
const tag = /^[\w][\w.-]{0,127}$/
const digest = /^[a-z0-9]+(?:[+._-][a-z0-9]+)*:[0-9a-fA-F]{32,}$/
/** Podman's words for images that are no registry's. */
const transport =
  /^(?:docker:\/\/|docker-daemon:|docker-archive:|oci:|oci-archive:|dir:|containers-storage:)/

export const image = filled.check(rule(imageFault))

function imageFault(value: string): Fault | undefined {
  if (value === '' || value.includes('<no value>') || transport.test(value)) return undefined
  const wrong = wrongPart(value)
  if (wrong === undefined) return undefined
  return bad(
    `${JSON.stringify(value)} is no name of an image: ${wrong}`,
    'write it as registry.example.org/team/app:1.2',
  )
}

function wrongPart(value: string): string | undefined {
  if (/\s/.test(value)) return 'there is a space in it'
  const [named = '', sum, ...more] = value.split('@')
  if (more.length > 0 || (sum !== undefined && !digest.test(sum)))
    return 'behind @ stands a digest such as sha256: and 64 digits'
  const slash = named.lastIndexOf('/')
  const colon = named.indexOf(':', slash + 1)
  const path = colon < 0 ? named : named.slice(0, colon)
  if (colon >= 0 && !tag.test(named.slice(colon + 1)))
    return `${JSON.stringify(named.slice(colon + 1))} is no tag`
  const parts = path.split('/')
  const [first = ''] = parts
  const isHost =
    parts.length > 1 && (/[.:[]/.test(first) || first === 'localhost' || /[A-Z]/.test(first))
  if (isHost && !host.test(first)) return `${JSON.stringify(first)} is no host of a registry`
  const bad = parts.slice(isHost ? 1 : 0).find((each) => !part.test(each))
  if (bad === undefined) return undefined
  return bad.toLowerCase() === bad
    ? `${JSON.stringify(bad)} is no part of a name`
    : `${JSON.stringify(bad)} has capital letters`
}
