/** Removing a row removes its cluster: the name has to be typed. */
import { useState } from 'preact/hooks'
import { api } from '../../api/client.ts'
import { troubleIn, type Trouble } from '../../api/request.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Notice, TroubleNotice } from '../../parts/notice.tsx'
import { TypedName } from '../../parts/typed-name.tsx'
import { say } from '../../state/toasts.ts'

export function RemoveClusterDialog({
  fleet,
  name,
  close,
  done,
}: {
  readonly fleet: string
  readonly name: string
  readonly close: () => void
  readonly done: () => void
}) {
  const [trouble, setTrouble] = useState<Trouble>()
  async function remove(): Promise<void> {
    try {
      const { message } = await api.removeCluster(fleet, name)
      say('good', message)
      done()
    } catch (thrown) {
      setTrouble(troubleIn(thrown))
    }
  }
  return (
    <Dialog title={`Remove ${name}`} close={close}>
      <Notice tone="bad">
        The cluster and everything in it is deleted, and its registrations with it.
      </Notice>
      <TypedName name={name} word="Remove" go={remove} leave={close}>
        {trouble !== undefined && <TroubleNotice trouble={trouble} />}
      </TypedName>
    </Dialog>
  )
}
