/** What decides beside ourselves on what an apply does: the server's version, who changes objects on their way in, defaults of definitions. */
import { listObjects } from '#clients/kubernetes/list.ts'
import { metadataOf } from '#formats/manifest/metadata.ts'
import { hashOf, type Json } from '#model/json.ts'
import type { SetContext } from '../memory.ts'

const admission = 'admissionregistration.k8s.io/v1'
/** How long what can't be looked at is taken to be as it was, ms. */
const trusted = 3_600_000

/** What is the same for all sets that are applied in one name: asked once when many ask at once. */
export type ServerMarks = { known?: { readonly at: number; readonly marks: Promise<Json> } }

/** How long an answer does for others too, ms: who changed the server a moment ago is seen by the next run. */
const fresh = 1_000

/** While it is the same, an apply that changed nothing would change nothing again. */
export async function serverMark(
  context: SetContext,
  groups: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<string> {
  const isCustom = [...groups].some((group) => !builtIn.test(group))
  const marks = await Promise.all([
    common(context, signal),
    isCustom
      ? generationsOf(context, 'apiextensions.k8s.io/v1', 'CustomResourceDefinition', isOf, signal)
      : null,
  ])
  signal.throwIfAborted()
  return hashOf(marks)

  function isOf(name: string): boolean {
    return groups.has(name.slice(name.indexOf('.') + 1))
  }
}

/** An answer to one who was cut short is no answer to others. */
async function common(context: SetContext, signal: AbortSignal): Promise<Json> {
  const { serverMarks: shared, clock } = context
  if (shared === undefined) return ask(context, signal)
  const { known } = shared
  if (known !== undefined && clock.now() - known.at < fresh) return known.marks
  const marks = ask(context, signal)
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

async function ask(context: SetContext, signal: AbortSignal): Promise<Json> {
  const doing = 'could not ask for the version of the cluster'
  // an answer that is missing makes the mark differ, so everything is looked at again
  const version = context.kubernetes
    .ask('GET', '/version', { signal, doing })
    .then(({ body }) => body)
    .catch(() => unseen(context))
  return Promise.all([
    version,
    generationsOf(context, admission, 'MutatingWebhookConfiguration', () => true, signal),
    generationsOf(context, admission, 'MutatingAdmissionPolicy', () => true, signal),
  ])
}

/** Groups that no definition can bring. */
const builtIn =
  /^(|apps|batch|autoscaling|policy|(apiextensions|admissionregistration|apiregistration|authentication|authorization|certificates|coordination|discovery|events|flowcontrol\.apiserver|networking|node|rbac\.authorization|resource|scheduling|storage|storagemigration|internal\.apiserver)\.k8s\.io)$/

async function generationsOf(
  context: SetContext,
  apiVersion: string,
  kindName: string,
  isCounted: (name: string) => boolean,
  signal: AbortSignal,
): Promise<Json> {
  try {
    const kind = await context.discovery.find(apiVersion, kindName, signal)
    if (kind === undefined) return null
    const { objects } = await listObjects(
      context.kubernetes,
      kind,
      { isMetadataOnly: true },
      signal,
    )
    return objects
      .map(metadataOf)
      .filter(({ name }) => isCounted(name))
      .map(({ uid, generation }) => `${uid} ${generation}`)
  } catch {
    // an answer that is missing makes the mark differ, so everything is looked at again
    return unseen(context)
  }
}

/** Who may not look can't know: then nothing is taken for granted for longer than a while. */
function unseen({ clock }: SetContext): Json {
  return Math.floor(clock.now() / trusted)
}
