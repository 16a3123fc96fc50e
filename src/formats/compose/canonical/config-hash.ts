/** The configuration hash of a service, equal to the reference's, so that both leave each other's containers alone. */
import { createHash } from 'node:crypto'
import { fileFailure } from '../compose-error.ts'
import type { Project } from '../project.ts'
import { writtenService, type Release } from './release.ts'
import type { Service } from '../schema/file.ts'
import { service as shape } from '../schema/service.ts'

/** `defaultPlatform`: what DOCKER_DEFAULT_PLATFORM says; it counts for services that are built. */
export function serviceHashes(
  project: Project,
  defaultPlatform: string | undefined,
  release: Release,
): Readonly<Record<string, string>> {
  const hashes = Object.entries(project.services).map(([name, service]) => {
    const text = hashedText(name, service, defaultPlatform, release)
    return [name, createHash('sha256').update(text).digest('hex')] as const
  })
  return Object.fromEntries(hashes)
}

export function hashedText(
  name: string,
  service: Service,
  defaultPlatform: string | undefined,
  release: Release,
): string {
  return shape.write(
    hashed(withPlatform(name, writtenService(service, release), defaultPlatform ?? '')),
  )
}

/** What says how many there are, when they start or how the image is made does not count. */
function hashed(service: Service): Service {
  const {
    build: _,
    pull_policy: _1,
    scale: _2,
    depends_on: _3,
    profiles: _4,
    deploy,
    ...rest
  } = service
  if (deploy === undefined) return rest
  const { replicas: _5, ...kept } = deploy
  return { ...rest, deploy: kept }
}

function withPlatform(name: string, service: Service, defaultPlatform: string): Service {
  if (service.build === undefined) return service
  const platform = service.platform || defaultPlatform
  if (platform === '') return service
  const { platforms = [] } = service.build
  if (platforms.length > 0 && !platforms.includes(platform)) {
    throw fileFailure(
      '',
      `services.${name}: build.platforms does not include the platform "${platform}"`,
    )
  }
  return { ...service, platform }
}
