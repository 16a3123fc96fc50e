/** The part of a service that is taken as the user wrote it. */
import { isSecretVariable } from '#model/secret-variables.ts'
import type { Service } from '#formats/compose/schema/file.ts'
import type { Sealed } from '#model/value.ts'
import { elsewhere, type ServiceAsWritten } from '../service-as-written.ts'
import type { Texts } from '../spec.ts'
import { securityOptionsOf } from './security.ts'
import { filled, seal, type Stage } from './stage.ts'

export function wordsOf(stage: Stage, name: string, service: Service): ServiceAsWritten {
  const words: Omit<Service, (typeof elsewhere)[number]> = { ...service }
  for (const key of elsewhere) Reflect.deleteProperty(words, key)
  for (const key of ['command', 'entrypoint'] as const) {
    if (words[key] === null) Reflect.deleteProperty(words, key)
  }
  const { resources = {}, restart_policy: restart = {} } = service.deploy ?? {}
  return {
    ...words,
    ...filled({
      deploy: filled({ resources, restart_policy: restart }),
      environment: environmentOf(stage, name, service),
      security_opt: securityOptionsOf(stage, service),
    }),
  }
}

/** A variable without a value is one that nobody set: it is left out, as Compose does. */
function environmentOf(stage: Stage, name: string, { environment = {} }: Service): Texts {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([key, text]): [string, string | Sealed][] => {
      if (text === null) return []
      const isFromFile = stage.loaded.isFromEnvFile(name, key)
      if (!isSecretVariable(stage.input.policy, key, text, isFromFile)) return [[key, text]]
      return [[key, seal(stage, `services.${name}.environment.${key}`, Buffer.from(text))]]
    }),
  )
}
