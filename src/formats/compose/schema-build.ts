/** What `build` may hold, with the mounts and limits that it shares with the service itself. */
import type { Rule } from './schema.ts'
import {
  textOrSet,
  flagOrText,
  hosts,
  listOf,
  looseDictionary,
  numberOrText,
  pairs,
  record,
  text,
  texts,
  wholeOrText,
} from './schema-words.ts'

export const fileMounts = listOf({
  ...text,
  ...record({ source: text, target: text, uid: text, gid: text, mode: numberOrText }),
})

export const ulimits = looseDictionary(/^[a-z]+$/, {
  ...wholeOrText,
  ...record({ hard: wholeOrText, soft: wholeOrText }, { required: ['soft', 'hard'] }),
})

export const build: Rule = {
  ...text,
  ...record({
    additional_contexts: pairs,
    args: pairs,
    cache_from: texts,
    cache_to: texts,
    context: text,
    dockerfile: text,
    dockerfile_inline: text,
    entitlements: texts,
    extra_hosts: hosts,
    isolation: text,
    labels: pairs,
    network: text,
    no_cache: flagOrText,
    no_cache_filter: { ...textOrSet, since: 5 },
    platforms: texts,
    privileged: flagOrText,
    provenance: flagOrText,
    pull: flagOrText,
    sbom: flagOrText,
    secrets: fileMounts,
    shm_size: wholeOrText,
    ssh: pairs,
    tags: texts,
    target: text,
    ulimits,
  }),
}
