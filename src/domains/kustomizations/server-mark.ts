/** What decides beside ourselves on what an apply does: the server's version, who changes objects on their way in, defaults of definitions. */
import { listObjects } from '#clients/kubernetes/list.ts'
import { metadataOf } from '#clients/kubernetes/place.ts'
import { hashOf, type Json } from '#model/json.ts'
import type { Site } from './memory.ts'

const admission = 'admissionregistration.k8s.io/v1'
/** How long what can't be looked at is taken to be as it was, ms. */
const trusted = 3_600_000

/** What is the same for all sets that are applied in one name: asked once when many ask at once. */
export type ServerMarks = { known?: { readonly at: number; readonly marks: Promise<Json> } }

/** How long an answer does for others too, ms: who changed the server a moment ago is seen by the next run. */
const fresh = 1_000

/** While it is the same, an apply that changed nothing would change nothing again. */
export async function serverMark(
  site: Site,
  groups: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<string> {
  const isCustom = [...groups].some((group) => !builtIn.test(group))
  const marks = await Promise.all([
    common(site, signal),
    isCustom
      ? generationsOf(site, 'apiextensions.k8s.io/v1', 'CustomResourceDefinition', isOf, signal)
      : null,
  ])
  signal.throwIfAborted()
  return hashOf(marks)

  function isOf(name: string): boolean {
    return groups.has(name.slice(name.indexOf('.') + 1))
  }
}

/** An answer to one who was cut short is no answer to others. */
async function common(site: Site, signal: AbortSignal): Promise<Json> {
  const { serverMarks: shared, clock } = site
  if (shared === undefined) return ask(site, signal)
  const { known } = shared
  if (known !== undefined && clock.now() - known.at < fresh) return known.marks
  const marks = ask(site, signal)
  shared.known = { at: clock.now(), marks }
  const forget = () => {
    if (shared.known?.marks === marks) delete shared.known
  }
  signal.addEventListener('abort', forget, { once: true })
  try {
    return await marks
  } finally {
    signal.removeEventListener('abort', forget)
  }
}

async function ask(site: Site, signal: AbortSignal): Promise<Json> {
  const doing = 'could not ask for the version of the cluster'
  const version = site.kubernetes
    .ask('GET', '/version', { signal, doing })
    .then(({ body }) => body)
    .catch(() => unseen(site))
  return Promise.all([
    version,
    generationsOf(site, admission, 'MutatingWebhookConfiguration', () => true, signal),
    generationsOf(site, admission, 'MutatingAdmissionPolicy', () => true, signal),
  ])
}

/** Groups that no definition can bring. */
const builtIn =
  /^(|apps|batch|autoscaling|policy|(apiextensions|admissionregistration|apiregistration|authentication|authorization|certificates|coordination|discovery|events|flowcontrol\.apiserver|networking|node|rbac\.authorization|resource|scheduling|storage|storagemigration|internal\.apiserver)\.k8s\.io)$/

async function generationsOf(
  site: Site,
  apiVersion: string,
  kindName: string,
  isCounted: (name: string) => boolean,
  signal: AbortSignal,
): Promise<Json> {
  try {
    const kind = await site.discovery.find(apiVersion, kindName, signal)
    if (kind === undefined) return null
    const { objects } = await listObjects(site.kubernetes, kind, { isMetadataOnly: true }, signal)
    return objects
      .map(metadataOf)
      .filter(({ name }) => isCounted(name))
      .map(({ uid, generation }) => `${uid} ${generation}`)
  } catch {
    return unseen(site)
  }
}

/** Who may not look can't know: then nothing is taken for granted for longer than a while. */
function unseen({ clock }: Site): Json {
  return Math.floor(clock.now() / trusted)
}
