/** `build`, with the mounts and limits that it shares with the service itself. */
import {
  asText,
  buildForm,
  fileMountForm,
  keyValues,
  sshKeyForm,
  ulimitForm,
} from '../canonical/canonical-forms.ts'
import {
  bytes,
  environment,
  fileMode,
  flag,
  hosts,
  pairs,
  sshKeys,
  text,
  textOrList,
  texts,
  ulimit,
} from './leaves.ts'
import * as rule from './common-rules.ts'
import { given, listOf, mapOf, short, struct, written } from './shape.ts'

const fileMount = struct({
  source: text,
  target: text,
  uid: text,
  gid: text,
  mode: given(fileMode),
})

export const fileMounts = listOf(short(rule.text, fileMountForm, fileMount))
export const ulimits = mapOf({ ...ulimit, form: ulimitForm }, /^[a-z]+$/, 'open')

const list = written(rule.texts, textOrList)
const attestation = { ...written(rule.flagOrText, text), form: asText }

const fields = struct({
  context: text,
  dockerfile: text,
  dockerfile_inline: text,
  entitlements: texts,
  args: environment,
  provenance: attestation,
  sbom: attestation,
  ssh: { ...sshKeys, form: sshKeyForm },
  labels: pairs,
  cache_from: list,
  cache_to: list,
  no_cache: flag,
  no_cache_filter: written({ ...rule.textOrSet, since: 5 }, textOrList),
  additional_contexts: { ...pairs, form: keyValues },
  pull: flag,
  extra_hosts: hosts,
  isolation: text,
  network: text,
  target: text,
  secrets: fileMounts,
  shm_size: written(rule.wholeOrText, bytes),
  tags: list,
  ulimits,
  platforms: list,
  privileged: flag,
})

export const build = short(rule.text, buildForm, fields)
