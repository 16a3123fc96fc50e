/** `tend kube install`: what Tend needs in a cluster. */
import { randomBytes } from 'node:crypto'
import { stringify } from 'yaml'
import { getObject } from '#clients/kubernetes/objects.ts'
import { install } from '#controller/flux/install.ts'
import { secrets } from '#controller/flux/kinds.ts'
import { home } from '#controller/flux/kinds.ts'
import { refuseBesideFlux } from '#controller/flux/flux-controllers.ts'
import { manifestsOf, tokenName } from '#controller/flux/manifests.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import { withCluster } from '../../kube/line.ts'
import type { CommandContext } from '../../session.ts'

const usualImage = 'tend:latest'

const withoutToken = [
  `# The pod waits for the Secret ${home}/${tokenName}, which is not in here so that this may be kept in Git. Once:`,
  `# kubectl -n ${home} create secret generic ${tokenName} --from-literal=token="$(openssl rand -hex 24)"`,
]

export async function kubeInstall({ flags }: Invocation, context: CommandContext): Promise<number> {
  const { screen, session, signal } = context
  const { clock } = session
  const { hasTenants, exports, onlyKinds, image = usualImage } = flags.kube
  const wanted = { hasTenants, onlyKinds, image, token: randomBytes(24).toString('base64url') }
  if (exports) {
    // it may be kept in Git, and be the same each time
    const text = manifestsOf({ ...wanted, token: undefined })
      .map((manifest) => stringify(manifest, { aliasDuplicateObjects: false }))
      .join('---\n')
    screen.print([...(onlyKinds ? [] : withoutToken), ...text.trimEnd().split('\n')])
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
