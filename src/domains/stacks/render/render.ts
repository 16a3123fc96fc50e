/** Turns a Compose project into resources. Pure but for the files that its input reads: the same files give the same bytes. */
import { ComposeError } from '#formats/compose/compose-error.ts'
import { loadCompose, type Loaded, type LoadOptions } from '#formats/compose/load/load.ts'
import { releaseOf } from '#formats/compose/canonical/release.ts'
import type { Json } from '#model/json.ts'
import type { Place, ProblemFacts } from '#model/problem.ts'
import { isSecretVariable } from '#model/secret-variables.ts'
import { vaultOf } from '#model/vault.ts'
import { usualCompose } from '../labels.ts'
import { isEncryptedProblem, keysAdvice } from '#domains/containers/encrypted-files.ts'
import { leavingAlone } from '../leaving.ts'
import { placesOfFiles, withPlaces } from './file-places.ts'
import { networkResources } from './networks.ts'
import { onChangeFindings } from './on-change.ts'
import { placingOf, rootOf } from './placing.ts'
import { policyFindings } from './policy-check.ts'
import { serviceResources } from './services.ts'
import { placeAt, type Stage } from './stage.ts'
import type { Finding } from './finding.ts'
import { shownFindings, unkeptFindings, withSecretsSealed } from './told-secrets.ts'
import { tooLargeFindings } from './too-large.ts'
import { unsupportedFindings } from './unsupported.ts'
import { volumeResources } from './volumes.ts'
import { watchRules } from './watch-rules.ts'
import type { StackInput, StackRendered } from '../stack-input.ts'

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
function loadOf({ load, place, policy, composeVersion = usualCompose }: StackInput): LoadOptions {
  const isSecret = (name: string, value: string): boolean => isSecretVariable(policy, name, value)
  const like = { ...load, isSecret, release: releaseOf(composeVersion) ?? 5 }
  return place === undefined ? like : { ...like, bindsAnywhere: true }
}

function rendered(given: StackInput, loaded: Loaded): StackRendered {
  const model = loaded.project()
  const placeOfFile = placesOfFiles(model, (path) => placeAt({ loaded }, path))
  const input = withPlaces(given, placeOfFile)
  const root = rootOf(input, loaded.workingDirectory)
  const stage: Stage = {
    input,
    loaded,
    model,
    project: model.name,
    hashes: hashesOf(loaded),
    joinedTexts: byService([loaded.joinedTexts(), loaded.joinedTexts(2), loaded.joinedTexts(5)]),
    composeVersion: input.composeVersion ?? usualCompose,
    secrets: new Map(),
    root,
    placing: placingOf(input, root, model),
  }
  const tooLarge = tooLargeFindings(stage)
  const findings = [
    ...tooLarge,
    ...unsupportedFindings(stage),
    ...policyFindings(stage),
    ...unkeptFindings(stage),
    ...onChangeFindings(stage),
    ...shownFindings(stage),
  ]
  const isTooLarge = tooLarge.length > 0
  const resources = isTooLarge
    ? []
    : [...networkResources(stage), ...volumeResources(stage), ...serviceResources(stage)].map(
        (resource) => withSecretsSealed(stage, resource),
      )
  return {
    project: stage.project,
    model: loaded.printed,
    version: input.revision,
    resources,
    problems: findings.filter(({ isError }) => isError).map((found) => problemOf(stage, found)),
    warnings: [
      ...loaded.warnings.map((text) => placed(text, loaded.warnedAt(text))),
      ...loaded.unheeded.map(({ text, at }) => placed(text, at)),
      ...findings.filter(({ isError }) => !isError).map((found) => warningOf(stage, found)),
    ],
    isIncomplete: isTooLarge,
    vault: vaultOf(stage.secrets, input.seed),
    missing: loaded.missing,
    placed: stage.placing.placed().map((one) => ({ ...one, at: placeOfFile(one.path) })),
    configFiles: loaded.configFiles,
    inactive: loaded.inactive,
    watch: watchRules(stage),
    leaves: leavingAlone(new Set(loaded.inactive)),
  }
}

/** By service: first what is written, then what else is right. */
function hashesOf(loaded: Loaded): Stage['hashes'] {
  return byService([
    loaded.containerHashes(),
    loaded.containerHashes(2),
    loaded.containerHashes(5),
    loaded.formerHashes(),
  ])
}

function byService(all: readonly Readonly<Record<string, string>>[]): Stage['hashes'] {
  return (service) => [...new Set(all.flatMap((texts) => texts[service] ?? []))]
}

function problemOf(stage: Stage, finding: Finding): ProblemFacts {
  const { path, message, suggestion, code, allowedBy, at = placeAt(stage, path) } = finding
  const worded = stage.loaded.worded(path, message)
  const more = allowedBy === undefined ? {} : { allowedBy }
  return { type: 'configuration', code, message: worded, at, suggestion, ...more }
}

function warningOf(stage: Stage, { path, message, at }: Finding): string {
  return placed(stage.loaded.worded(path, message), at ?? placeAt(stage, path))
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
      suggestion: isEncryptedProblem(message) ? keysAdvice : suggestion,
    })),
    warnings: [],
    isIncomplete: true,
    vault: vaultOf(new Map(), input.seed),
    missing: [],
    placed: [],
    configFiles: [],
    inactive: [],
    watch: [],
  }
}
