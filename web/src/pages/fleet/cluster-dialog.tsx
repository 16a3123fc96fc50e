/** A row of the table, new or changed. */
import { useState } from 'preact/hooks'
import type { ClusterRow } from '#model/api-fleets.ts'
import { api } from '../../api/client.ts'
import { troubleIn, type Trouble } from '../../api/request.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TroubleNotice } from '../../parts/notice.tsx'
import { say } from '../../state/toasts.ts'
import { hintOf } from './column-hints.ts'
import { rowFrom, setOnHost, textsOf, usualColumns } from './row-texts.ts'

const suggestion = 'Use another name, or change the one that is there.'

export function ClusterDialog({
  fleet,
  cluster,
  columns,
  taken,
  close,
  done,
}: {
  readonly fleet: string
  readonly cluster: ClusterRow | undefined
  readonly columns: readonly string[]
  /** The names that have a row. */
  readonly taken: readonly string[]
  readonly close: () => void
  readonly done: () => void
}) {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(
    cluster === undefined
      ? {}
      : { ...textsOf(cluster.declared), name: cluster.name, provider: cluster.provider },
  )
  const [trouble, setTrouble] = useState<Trouble>()
  const isNew = cluster === undefined
  const others = columns.length > 0 ? columns : usualColumns
  // a new row says present by itself
  const left = isNew ? [...setOnHost, 'desired_state'] : setOnHost
  const all = [...new Set(['name', 'provider', ...others])].filter((one) => !left.includes(one))

  async function save(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const { name = '' } = texts
    if (isNew && taken.includes(name)) {
      return setTrouble({ status: 409, detail: `There is a cluster ${name} already.`, suggestion })
    }
    try {
      await api.putCluster(fleet, name, rowFrom(texts, cluster?.declared), isNew)
      say('good', `${name}: the row is written`)
      done()
    } catch (thrown) {
      setTrouble(troubleIn(thrown))
    }
  }

  return (
    <Dialog title={isNew ? 'Add a cluster' : `Change ${cluster.name}`} close={close}>
      <form class="row-form row-columns" onSubmit={(event) => void save(event)}>
        {all.map((column) => (
          <label key={column} class="labelled">
            {column}
            <input
              class="field"
              value={texts[column] ?? ''}
              required={column === 'name' || column === 'provider'}
              disabled={(column === 'name' || column === 'provider') && !isNew}
              placeholder={isNew ? hintOf(column) : undefined}
              spellcheck={false}
              onInput={({ currentTarget }) =>
                setTexts((old) => ({ ...old, [column]: currentTarget.value }))
              }
            />
          </label>
        ))}
        {trouble !== undefined && <TroubleNotice trouble={trouble} />}
        <div class="dialog-foot">
          <button type="button" class="button" onClick={close}>
            Leave it
          </button>
          <button type="submit" class="button primary">
            {isNew ? 'Add' : 'Save'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
