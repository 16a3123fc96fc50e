/** What is written on every object: the record that all domains write, and Compose's own labels, by which Docker's tools know the project. */
import { joinedHash } from '#formats/compose/canonical/joined-hash.ts'
import { ownerLabels, recordLabel, type Labels } from '#domains/containers/record.ts'
import type { Identity } from '#model/application.ts'
import type { Ref } from '#model/ref.ts'
import type { Need } from '#model/resource.ts'
import type { Sealed } from '#model/value.ts'
import type { About, Joined, ObjectAbout } from './spec.ts'

export const label = {
  ...recordLabel,
  stack: 'tend/stack',
  project: 'com.docker.compose.project',
  service: 'com.docker.compose.service',
  configHash: 'com.docker.compose.config-hash',
  number: 'com.docker.compose.container-number',
  oneOff: 'com.docker.compose.oneoff',
  composeVersion: 'com.docker.compose.version',
  workingDirectory: 'com.docker.compose.project.working_dir',
  configFiles: 'com.docker.compose.project.config_files',
  environmentFile: 'com.docker.compose.project.environment_file',
  dependsOn: 'com.docker.compose.depends_on',
  image: 'com.docker.compose.image',
  network: 'com.docker.compose.network',
  volume: 'com.docker.compose.volume',
  /** Of what was taken over and is not as it should be: why. */
  differs: 'tend/differs',
} as const

/** The docker compose whose labels and hashes are written when nobody names one. */
export const usualCompose = '5.5.1'

/** The one whose labels were written before there was a choice. */
const formerCompose = '2.40.3'

export function identityLabels(identity: Identity, ref: Ref, needs: readonly Need[]): Labels {
  return { ...ownerLabels(identity, ref, needs), [label.stack]: identity.application.name }
}

/** `image` joins them when the container is made: only then its id is known. */
export function serviceLabels(about: About): Labels {
  return {
    [label.project]: about.project,
    [label.service]: about.service,
    [label.configHash]: about.configHash,
    [label.number]: String(about.number),
    [label.oneOff]: 'False',
    [label.composeVersion]: about.composeVersion ?? formerCompose,
    [label.workingDirectory]: about.workingDirectory,
    [label.configFiles]: about.configFiles,
    [label.dependsOn]: about.dependsOn,
    ...(about.environmentFiles === '' ? {} : { [label.environmentFile]: about.environmentFiles }),
  }
}

/** The hash of one that uses something of another container, whose id is known by now. */
export function joinedLabels({ joined }: About, open: (text: Sealed) => string): Labels {
  const [text] = joined?.texts ?? []
  if (joined === undefined || text === undefined) return {}
  return { [label.configHash]: joinedHash(open(text), knownIds(joined.ids)) }
}

export function knownIds(ids: Joined['ids']): Readonly<Record<string, string>> {
  const known = Object.entries(ids).flatMap(([service, id]) =>
    typeof id === 'string' ? [[service, id] as const] : [],
  )
  return Object.fromEntries(known)
}

export function objectLabels(kind: 'network' | 'volume', about: ObjectAbout): Labels {
  const { project, name, composeVersion = formerCompose } = about
  return {
    [label.project]: project,
    [label[kind]]: name,
    [label.composeVersion]: composeVersion,
  }
}
