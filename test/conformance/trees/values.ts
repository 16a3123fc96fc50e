/** Names, labels and values of which objects and settings are made; few, so that they meet. */
import type { Draw } from './draw.ts'
import { Raw, type Data } from './write.ts'

export const names = ['web', 'api', 'db', 'cache', 'app-config', 'creds'] as const
export const namespaces = ['', 'default', 'shop', 'ops'] as const
export const images = [
  'nginx',
  'redis:7.2',
  'ghcr.io/acme/api:v1.2',
  'registry:5000/db@sha256:aaaa',
  'busybox:latest',
] as const

export type Map = { readonly [key: string]: Data | undefined }

export type Made = {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly namespace: string
  readonly data: Map
}

const odd = [
  'x',
  '1',
  'true',
  '',
  'yes',
  '0123',
  '1e3',
  'a: b',
  '#no',
  ' lead',
  'trail ',
  'multi\nline\n',
  'a\n\nb',
  '1.0',
  'null',
  '~',
  '0x1F',
  '2020-01-01',
  'ünï',
  "it's",
  'say "hi"',
  '*star',
  '&amp',
  '- dash',
  '{brace',
  '%pc',
  '@at',
  '`tick',
  '!bang',
  'tab\there',
  '12:30:45',
  '.5',
  '+1',
  '1_000',
  'back\\slash',
  'a'.repeat(90),
  'word '.repeat(30).trim(),
] as const
export const raws = [
  '1',
  '"1"',
  'true',
  '~',
  '',
  '0o14',
  '014',
  '0x1F',
  '1e3',
  '1.50',
  '.5',
  '-0',
  'yes',
  "'yes'",
  'on',
  '1_000',
  '2020-01-01',
  '12:30',
  '"a\\tb"',
  '!!str 5',
  '.inf',
  '123456789012345678901',
  '100m',
  '1.0',
  '"null"',
] as const

export function oddText(draw: Draw): string {
  return draw.chance(50) ? draw.pick(odd) : draw.pick(names)
}

export function labels(draw: Draw): Map {
  const found: { [key: string]: Data } = {}
  for (const key of draw.some(['app', 'tier', 'app.kubernetes.io/name', 'version'], 3)) {
    found[key] = draw.chance(20)
      ? draw.pick(['"1"', "'true'", '"yes"', '"1.0"'].map((text) => new Raw(text)))
      : draw.pick(names)
  }
  return found
}

export function filled(map: Map): Map | undefined {
  return Object.keys(map).length === 0 ? undefined : map
}
