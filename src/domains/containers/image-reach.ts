/** What Podman takes from an image beyond what it runs: annotations for runtimes and hooks of its host, and names of its own variables. */
import type { Ask } from '#model/policy.ts'
import { isAllowed } from './image-builder.ts'
import type { EngineJob } from './operate/job.ts'

/** Annotations that tell where an image comes from. A runtime or a hook may do what any other one says. */
const descriptive =
  /^(org\.opencontainers\.(image|artifact)|org\.label-schema|com\.docker|vnd\.docker|io\.artifacthub|io\.buildah|dev\.sigstore|dev\.cosignproject)\./

/** Before a container is made on Podman. Docker gives on no annotation of an image, and takes no variable for it. */
export async function assertPlainImage(job: EngineJob, image: string): Promise<void> {
  const { engine, memory, confinement, context } = job
  if (confinement === undefined) return
  // what is made of another image that got the name since is never started
  const object = memory.looked.get(`${confinement.owner} ${image}`) ?? image
  const found = await engine.inspectImage(object, context.signal)
  const annotations = await engine.imageAnnotations(object, context.signal)
  const odd = annotations.filter((name) => !descriptive.test(name))
  for (const name of odd) isAllowed(job, askForAnnotation(image, name))
  for (const name of found?.unsetVariables ?? []) isAllowed(job, askForVariable(image, name))
}

function askForAnnotation(image: string, name: string): Ask {
  return {
    rule: 'runtimes',
    what: `the image ${image} with the annotation ${name}, which Podman gives on to runtimes and hooks of the host,`,
    instead: 'use an image without it',
  }
}

function askForVariable(image: string, name: string): Ask {
  return {
    rule: 'hostNamespaces',
    what: `the image ${image} with the variable ${name} and no value for it, which Podman would take from its own environment,`,
    instead: 'use an image that gives its variables values',
  }
}
