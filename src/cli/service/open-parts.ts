/** What the service is made of on this machine: repositories, folders and engines, all below Tend's home. */
import { join } from 'node:path'
import { loadKinds } from '#kinds/all.ts'
import { isOpen } from '#controller/declare/windows.ts'
import type { LoadedKind } from '#model/application-kind.ts'
import type { Log } from '#model/log.ts'
import type { Dependencies } from '#controller/dependencies.ts'
import type { RenderPool } from '#controller/render/render-pool.ts'
import { bindFilesIn } from '#sources/bind-files.ts'
import type { Declarations, SourceDeclared } from '#model/declaration.ts'
import type { Repository } from '#model/source.ts'
import { artifactRepository } from '#sources/artifact/repository.ts'
import { directoryRepository } from '#sources/directory-repository.ts'
import { gitRepository } from '#sources/git/repository.ts'
import type { Memory, Session } from '../session.ts'
import type { KubePart } from '../kube/open-kube.ts'

export async function openParts(
  declarations: Declarations,
  { store, leases, notes, key }: Memory,
  session: Session,
  log: Log,
  renders: RenderPool,
  kube?: Pick<KubePart, 'kind' | 'held' | 'stands' | 'artifact'>,
  together?: Pick<Dependencies, 'peers' | 'offers'>,
): Promise<Dependencies> {
  const { clock, instance, holder, home, environment } = session
  const cache = join(home, 'sources')
  const loaded = await loadKinds({ clock, environment, home, instance, log })
  const kinds = [...loaded, ...(kube === undefined ? [] : [kube.kind])]

  function repository(source: SourceDeclared): Repository {
    if (source.kind === 'directory') return directoryRepository({ path: source.path, cache })
    if (source.kind === 'artifact') {
      const find = (name: string) => kube?.artifact(name)
      const host = environment['SOURCE_CONTROLLER_LOCALHOST']
      return artifactRepository({ name: source.name, cache, find, host })
    }
    if (source.kind === 'table') return tableOf(source, kinds, cache)
    const { timeout } = source
    const limits = timeout === undefined ? {} : { lookTime: timeout, fetchTime: timeout }
    const held = kube?.held
    return gitRepository({ ...source, cache, environment, limits, held })
  }

  return {
    declarations,
    renders,
    isOpen,
    repository,
    kinds,
    bindFiles: bindFilesIn(join(home, 'files'), declarations.hostFiles, home),
    store,
    leases,
    notes,
    key,
    clock,
    instance,
    holder,
    log,
    ...together,
    ...(kube === undefined ? {} : { stands: kube.stands }),
  }
}

function tableOf(
  source: Extract<SourceDeclared, { readonly kind: 'table' }>,
  kinds: readonly LoadedKind[],
  cache: string,
): Repository {
  const repository = kinds.find(({ name }) => name === source.of)?.table?.(source, cache)
  if (repository !== undefined) return repository
  throw new TypeError(`applications of kind ${source.of} come from no table`)
}
