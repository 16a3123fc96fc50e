/** `tend kube install`: what Tend needs in a cluster. */
import { randomBytes } from 'node:crypto'
import { stringify } from 'yaml'
import { getObject } from '#clients/kubernetes/objects.ts'
import { install } from '#controller/flux/install.ts'
import { secrets } from '#controller/flux/kinds.ts'
import { home, refuseBesideFlux } from '#controller/flux/lease.ts'
import { manifestsOf, tokenName } from '#controller/flux/manifests.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import { withCluster } from '../../kube/line.ts'
import type { Desk } from '../../session.ts'

const usualImage = 'tend:latest'

export async function kubeInstall({ flags }: Invocation, desk: Desk): Promise<number> {
  const { screen, session, signal } = desk
  const { clock } = session
  const { hasTenants, exports, onlyKinds, image = usualImage } = flags.kube
  const wanted = { hasTenants, onlyKinds, image, token: randomBytes(24).toString('base64url') }
  if (exports) {
    const text = manifestsOf(wanted)
      .map((manifest) => stringify(manifest, { aliasDuplicateObjects: false }))
      .join('---\n')
    screen.print(text.trimEnd().split('\n'))
    return 0
  }
  await withCluster(flags.kube, async (clusters) => {
    const line = clusters.local()
    await refuseBesideFlux(line.kubernetes, clock, signal)
    const place = { kind: secrets, namespace: home, name: tokenName }
    const known = await getObject(line.kubernetes, place, signal)
    const manifests = manifestsOf(known === undefined ? wanted : { ...wanted, token: undefined })
    await install(line, manifests, { clock, signal }, (words) => screen.print([`✔ ${words}`]))
  })
  if (!onlyKinds && flags.kube.image === undefined) {
    screen.note(
      `Warning: the Deployment runs ${usualImage}, which no registry has: load it into the cluster's nodes, or say --image (packaging/Containerfile builds it). tend kube check tells how its pod is.`,
    )
  }
  screen.note(
    'Next: apply a GitRepository and a Kustomization; tend get kustomizations shows them.',
  )
  return 0
}
