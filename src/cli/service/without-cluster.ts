/** The declarations for a replica that does not follow the cluster: another one does, and looks after its kustomizations. */
import { isOfCluster } from '#kinds/all.ts'
import type { Declarations } from '#model/declaration.ts'
import type { Followed } from './follow-declarations.ts'

export function withoutCluster(followed: Followed): Followed {
  return {
    ...followed,
    now: () => without(followed.now()),
    follow: (service, log) =>
      followed.follow({ reload: (declarations) => service.reload(without(declarations)) }, log),
  }
}

function without(declarations: Declarations): Declarations {
  const apps = declarations.apps.filter(({ application }) => !isOfCluster(application))
  return { ...declarations, apps }
}
