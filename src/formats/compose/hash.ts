/** The configuration hash of a service, equal to the reference's, so that both leave each other's containers alone. */
import { createHash } from 'node:crypto'
import { fileFailure } from './compose-error.ts'
import type { JsonObject } from './node.ts'
import { objectIn, textIn, type Project } from './project.ts'
import { writtenService, type Release } from './release.ts'
import { service as shape } from './shape-service.ts'
import { isArray, isObject } from './shape.ts'

/** `defaultPlatform`: what DOCKER_DEFAULT_PLATFORM says; it counts for services that are built. */
export function serviceHashes(
  project: Project,
  defaultPlatform: string | undefined,
  release: Release,
): Readonly<Record<string, string>> {
  const hashes = Object.entries(project.services).map(([name, service]) => {
    const text = shape.write(
      hashed(withPlatform(name, writtenService(service, release), defaultPlatform ?? '')),
    )
    return [name, createHash('sha256').update(text).digest('hex')] as const
  })
  return Object.fromEntries(hashes)
}

/** What says how many there are, when they start or how the image is made does not count. */
function hashed(service: JsonObject): JsonObject {
  const {
    build: _,
    pull_policy: _1,
    scale: _2,
    depends_on: _3,
    profiles: _4,
    deploy,
    ...rest
  } = service
  if (!isObject(deploy)) return rest
  const { replicas: _5, ...kept } = deploy
  return { ...rest, deploy: kept }
}

function withPlatform(name: string, service: JsonObject, defaultPlatform: string): JsonObject {
  if (service.build === undefined) return service
  const platform = textIn(service, 'platform') || defaultPlatform
  if (platform === '') return service
  const { platforms } = objectIn(service, 'build')
  if (isArray(platforms) && platforms.length > 0 && !platforms.includes(platform)) {
    throw fileFailure(
      '',
      `services.${name}: build.platforms does not include the platform "${platform}"`,
    )
  }
  return { ...service, platform }
}
