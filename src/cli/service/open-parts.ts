/** What the service is made of on this machine: repositories, folders and engines, all below Tend's home. */
import { join } from 'node:path'
import { loadKinds } from '#kinds/all.ts'
import { isOpen } from '#controller/declare/windows.ts'
import type { Log } from '#model/log.ts'
import type { Parts } from '#controller/parts.ts'
import type { RenderPool } from '#controller/render/render-pool.ts'
import { bindFilesIn } from '#sources/bind-files.ts'
import type { Declarations, SourceDeclared } from '#model/declaration.ts'
import type { Repository } from '#model/source.ts'
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
  kube?: Pick<KubePart, 'kind' | 'held' | 'stands'>,
): Promise<Parts> {
  const { clock, instance, holder, home, environment } = session
  const cache = join(home, 'sources')

  function repository(source: SourceDeclared): Repository {
    if (source.kind === 'directory') return directoryRepository({ path: source.path, cache })
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
    kinds: [...(await loadKinds()), ...(kube === undefined ? [] : [kube.kind])],
    bindFiles: bindFilesIn(join(home, 'files'), declarations.hostFiles, home),
    store,
    leases,
    notes,
    key,
    clock,
    instance,
    holder,
    log,
    ...(kube === undefined ? {} : { stands: kube.stands }),
  }
}
