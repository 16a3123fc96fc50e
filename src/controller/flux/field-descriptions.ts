/** What the fields of the two kinds mean, as `kubectl explain` shows it. */
import { recordOf } from '#model/read-json.ts'
import type { JsonRecord } from '#model/json.ts'

type Texts = Readonly<Record<string, string>>

/** A schema of an object with a description on each of its fields. */
export function described(schema: JsonRecord, about: string, texts: Texts): JsonRecord {
  const fields = Object.entries(recordOf(schema['properties'])).map(([name, field]) => {
    const description = texts[name]
    if (description === undefined) throw new TypeError(`${name} is not described`)
    return [name, { ...recordOf(field), description }] as const
  })
  return { ...schema, description: about, properties: Object.fromEntries(fields) }
}

export const kustomizationTexts: Texts = {
  interval: 'How often changes by hand are looked for at the latest. Tend watches as well.',
  retryInterval:
    'The longest pause before something that failed is tried again. Default: interval.',
  timeout: 'How long everything may take to become healthy. Default: 5m.',
  suspend: 'Nothing is done while it is true. What was applied stays.',
  path: 'The folder of the source that is built. Default: the root.',
  prune:
    'Objects that are gone from the source are deleted, and all of them with the Kustomization.',
  wait: 'true: all objects have to be healthy before it is Ready, false: those of healthChecks alone. Unset: as true, but claims may wait for their first pod.',
  force: 'Objects with a field that can not be changed are deleted and made anew.',
  sourceRef: 'The object that says where the files are.',
  dependsOn: 'Kustomizations that have to be Ready before this one is applied.',
  targetNamespace: 'The namespace of all objects, whatever the files say.',
  namePrefix: 'Put before the name of each object.',
  nameSuffix: 'Put after the name of each object.',
  commonMetadata: 'Labels and annotations of all objects.',
  patches: 'Changes to built objects: strategic merge or JSON patches, inline.',
  images: 'Other names, tags or digests for images.',
  components: 'Folders of kustomize components that are added, relative to path.',
  ignoreMissingComponents: 'A component that is not there is passed over.',
  buildMetadata: 'Annotations that say where objects come from.',
  postBuild: 'Variables that are replaced in what was built.',
  decryption: 'How files that SOPS encrypted are opened.',
  healthChecks: 'Objects that have to be healthy before it is Ready.',
  healthCheckExprs: 'CEL expressions that say when objects of a kind are healthy.',
  ignore: 'Fields that are left to whoever changes them.',
  deletionPolicy:
    'What becomes of the objects when the Kustomization is deleted. Default: MirrorPrune, as prune says.',
  serviceAccountName: 'The account, of the same namespace, whose rights are used.',
  kubeConfig: 'The Secret with the kubeconfig of another cluster.',
}

export const kustomizationStatusTexts: Texts = {
  conditions: 'Ready, Reconciling, Stalled and Healthy, each with its reason. Ready is the first.',
  observedGeneration: 'The generation of the spec that the conditions speak of.',
  lastAppliedRevision: 'The revision that is in force.',
  lastAppliedOriginRevision: 'The revision that the applied artifact was made from.',
  lastAttemptedRevision: 'The revision that was last tried.',
  lastHandledReconcileAt: 'The value of the last reconcile.fluxcd.io/requestedAt that was served.',
  inventory: 'The objects that it consists of.',
  history: 'What was reconciled last, newest first.',
  remoteBases: 'Bases on other machines, each with the commit that it was built from.',
}

export const gitRepositoryTexts: Texts = {
  url: 'Where the repository is: http, https or ssh.',
  interval: 'Within which time a new commit is seen. Default: 15s.',
  timeout: 'How long asking and fetching may take.',
  suspend: 'Nothing is fetched while it is true.',
  ref: 'What is followed. Of several the first counts: commit, name, semver, tag, branch. Default: the branch master.',
  secretRef: 'The Secret with username and password, bearerToken, or identity and known_hosts.',
  provider: 'Who gives the credentials. Tend knows generic.',
  serviceAccountName: 'Not used by Tend.',
  ignore: 'Files that are left out, in the words of .gitignore.',
  recurseSubmodules: 'Submodules are fetched too.',
  include: 'Not supported by Tend.',
  verify: 'Whose signature is needed: the Secret holds public keys, OpenPGP or ssh.',
  sparseCheckout: 'The folders that are looked at.',
  proxySecretRef: 'Not supported by Tend: set HTTPS_PROXY where it runs.',
}

export const gitRepositoryStatusTexts: Texts = {
  conditions: 'Ready, Reconciling, FetchFailed and ArtifactInStorage. Ready is the first.',
  observedGeneration: 'The generation of the spec that the conditions speak of.',
  artifact: 'The revision that was fetched last.',
  includedArtifacts: 'Not used by Tend.',
  lastHandledReconcileAt: 'The value of the last reconcile.fluxcd.io/requestedAt that was served.',
  observedIgnore: 'Not used by Tend.',
  observedRecurseSubmodules: 'Not used by Tend.',
  observedSparseCheckout: 'Not used by Tend.',
  sourceVerificationMode: 'Not written by Tend.',
}
