/** Turns a Compose project into resources. Pure but for the files that its input reads: the same files give the same bytes. */
import { ComposeError } from '#formats/compose/compose-error.ts'
import { loadCompose, type Loaded, type LoadOptions } from '#formats/compose/load.ts'
import { releaseOf } from '#formats/compose/release.ts'
import { recordOf, textOf } from '#clients/http/read.ts'
import type { Json } from '#model/json.ts'
import type { Place, ProblemFacts } from '#model/problem.ts'
import { vaultOf } from '#model/vault.ts'
import { usualCompose } from './labels.ts'
import { leavingAlone } from './leaving.ts'
import { networkResources } from './render/networks.ts'
import { placingOf, rootOf } from './render/placing.ts'
import { policyFindings } from './render/policy-check.ts'
import { serviceResources } from './render/services.ts'
import { placeAt, type Stage } from './render/stage.ts'
import type { Finding } from './render/finding.ts'
import { unkeptFindings, withSecretsSealed } from './render/told-secrets.ts'
import { unsupportedFindings } from './render/unsupported.ts'
import { volumeResources } from './render/volumes.ts'
import type { StackInput, StackRendered } from './stack-input.ts'

/** All problems at once. Throws nothing but bugs. */
export function renderStack(input: StackInput): StackRendered {
  try {
    return rendered(input, loadCompose(loadOf(input)))
  } catch (error) {
    if (!(error instanceof ComposeError)) throw error
    return unreadable(input, error)
  }
}

/** Where the snapshot's own files get a place of their own, the policy judges what else is bound. */
function loadOf({ load, place, composeVersion = usualCompose }: StackInput): LoadOptions {
  const like = { ...load, release: releaseOf(composeVersion) ?? 5 }
  return place === undefined ? like : { ...like, bindsAnywhere: true }
}

function rendered(input: StackInput, loaded: Loaded): StackRendered {
  const model = recordOf(loaded.project)
  const root = rootOf(input, loaded.workingDirectory)
  const stage: Stage = {
    input,
    loaded,
    model,
    project: textOf(model['name']),
    hashes: hashesOf(loaded),
    composeVersion: input.composeVersion ?? usualCompose,
    secrets: new Map(),
    root,
    placing: placingOf(input, root, model),
  }
  const findings = [
    ...unsupportedFindings(stage),
    ...policyFindings(stage),
    ...unkeptFindings(stage),
  ]
  const resources = [
    ...networkResources(stage),
    ...volumeResources(stage),
    ...serviceResources(stage),
  ].map((resource) => withSecretsSealed(stage, resource))
  return {
    project: stage.project,
    model,
    version: input.revision,
    resources,
    problems: findings.filter(({ isError }) => isError).map((found) => problemOf(stage, found)),
    warnings: [
      ...loaded.warnings.map((text) => placed(text, loaded.warnedAt(text))),
      ...loaded.unheeded.map(({ text, at }) => placed(text, at)),
      ...findings.filter(({ isError }) => !isError).map((found) => warningOf(stage, found)),
    ],
    isIncomplete: false,
    vault: vaultOf(stage.secrets, input.seed),
    missing: loaded.missing,
    placed: stage.placing.placed(),
    inactive: loaded.inactive,
    leaves: leavingAlone(new Set(loaded.inactive)),
  }
}

/** By service: first what is written, then what else is right. */
function hashesOf(loaded: Loaded): Stage['hashes'] {
  const all = [
    loaded.containerHashes(),
    loaded.containerHashes(2),
    loaded.containerHashes(5),
    loaded.formerHashes(),
  ]
  return (service) => [...new Set(all.flatMap((hashes) => hashes[service] ?? []))]
}

function problemOf(stage: Stage, { path, message, suggestion, code }: Finding): ProblemFacts {
  const at = placeAt(stage, path)
  return { type: 'configuration', code, message, at, suggestion }
}

function warningOf(stage: Stage, { path, message }: Finding): string {
  return placed(message, placeAt(stage, path))
}

function placed(text: string, at: Place | undefined): string {
  return at === undefined ? text : `${at.file}:${at.line}:${at.column}: ${text}`
}

function unreadable(input: StackInput, error: ComposeError): StackRendered {
  const model: Json = {}
  return {
    project: input.load.projectName ?? '',
    model,
    version: input.revision,
    resources: [],
    problems: error.problems.map(({ file, line, column, message, suggestion }) => ({
      type: 'configuration',
      code: 'compose_error',
      message: line > 0 || file === '' ? message : `${file}: ${message}`,
      ...(line > 0 ? { at: { file, line, column } } : {}),
      suggestion,
    })),
    warnings: [],
    isIncomplete: true,
    vault: vaultOf(new Map(), input.seed),
    missing: [],
    placed: [],
    inactive: [],
  }
}
