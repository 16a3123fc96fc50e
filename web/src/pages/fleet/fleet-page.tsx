/** One fleet: every cluster with its row, what it really is, and its registrations; rows are added, changed and removed. */
import { useEffect, useState } from 'preact/hooks'
import type { ClusterRow } from '#model/api-fleets.ts'
import { api } from '../../api/client.ts'
import { AskedView, Empty } from '../../parts/asked-view.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Notice } from '../../parts/notice.tsx'
import { HealthMark, SyncMark } from '../../parts/state-mark.tsx'
import { valueText } from '../../parts/value-text.ts'
import { useAsked } from '../../state/asked.ts'
import { appLink } from '../../state/links.ts'
import { useLive } from '../../state/live-asked.ts'
import { mayChange } from '../../state/session.ts'
import { ClusterDialog } from './cluster-dialog.tsx'
import { RemoveClusterDialog } from './remove-cluster-dialog.tsx'

export function FleetPage({ name }: { readonly name: string }) {
  const asked = useAsked((signal) => api.fleet(name, signal), [name])
  useLive(asked.reload, ['app', 'run'])
  const [edited, setEdited] = useState<ClusterRow | 'new'>()
  const [removed, setRemoved] = useState<string>()
  useEffect(() => {
    document.title = `${name} · Tend`
  }, [name])
  const done = () => {
    setEdited(undefined)
    setRemoved(undefined)
    asked.reload()
  }
  return (
    <AskedView asked={asked}>
      {({ key, clusters, refusal }) => (
        <>
          <div class="crumbs">
            <a href="/fleets">Fleets</a>
          </div>
          <div class="page-head">
            <h1>{name}</h1>
            <a class="link small" href={appLink(key)}>
              Its page, plan and history
            </a>
            <span class="space" />
            {mayChange.value && refusal === undefined && (
              <button type="button" class="button primary" onClick={() => setEdited('new')}>
                <Icon name="plus" />
                Add a cluster
              </button>
            )}
          </div>
          {refusal !== undefined && <Notice tone="info">{refusal}</Notice>}
          {clusters.length === 0 ? (
            <Empty icon="fleet" title="No cluster yet" />
          ) : (
            <ul class="clusters">
              {clusters.map((cluster) => (
                <Cluster
                  key={cluster.name}
                  cluster={cluster}
                  canChange={mayChange.value && refusal === undefined}
                  edit={() => setEdited(cluster)}
                  remove={() => setRemoved(cluster.name)}
                />
              ))}
            </ul>
          )}
          {edited !== undefined && (
            <ClusterDialog
              fleet={name}
              cluster={edited === 'new' ? undefined : edited}
              columns={columnsOf(clusters)}
              close={() => setEdited(undefined)}
              done={done}
            />
          )}
          {removed !== undefined && (
            <RemoveClusterDialog
              fleet={name}
              name={removed}
              close={() => setRemoved(undefined)}
              done={done}
            />
          )}
        </>
      )}
    </AskedView>
  )
}

/** What the rows of this table have. */
function columnsOf(clusters: readonly ClusterRow[]): readonly string[] {
  return [...new Set(clusters.flatMap(({ declared }) => Object.keys(declared)))]
}

function Cluster({
  cluster: { name, provider, declared, actual, assessment, conditions },
  canChange,
  edit,
  remove,
}: {
  readonly cluster: ClusterRow
  readonly canChange: boolean
  readonly edit: () => void
  readonly remove: () => void
}) {
  const columns = Object.entries(declared).filter(
    ([column, value]) =>
      column !== 'name' && column !== 'provider' && value !== null && value !== '',
  )
  return (
    <li class="panel cluster">
      <div class="source-head">
        <strong>{name}</strong>
        <span class="pill">{provider}</span>
        {assessment?.health !== undefined && (
          <HealthMark state={assessment.health.state} reason={assessment.health.reason} />
        )}
        {assessment !== undefined && (
          <SyncMark state={assessment.sync.state} reason={assessment.sync.reason} />
        )}
        <span class="muted small">actual: {actual || 'unknown'}</span>
        <span class="space" />
        {canChange && (
          <span class="cluster-actions">
            <button type="button" class="button" aria-label={`Change ${name}`} onClick={edit}>
              <Icon name="edit" />
              Change
            </button>
            <button
              type="button"
              class="button danger"
              aria-label={`Remove ${name}`}
              onClick={remove}
            >
              <Icon name="trash" />
              Remove
            </button>
          </span>
        )}
      </div>
      {assessment !== undefined && assessment.sync.reason !== '' && (
        <p class="small">{assessment.sync.reason}</p>
      )}
      <p class="conditions">
        {conditions.map(({ type, state, reason }) => (
          <span
            key={type}
            class={`pill tone-${state === 'true' ? 'good' : state === 'false' ? 'bad' : 'quiet'}`}
            title={reason}
          >
            <Icon name={state === 'true' ? 'check' : state === 'false' ? 'cross' : 'question'} />
            {type}
            <span class="hidden">
              : {state === 'true' ? 'yes' : state === 'false' ? 'no' : 'unknown'}
            </span>
          </span>
        ))}
      </p>
      <dl class="columns small">
        {columns.map(([column, value]) => (
          <div key={column}>
            <dt>{column}</dt>
            <dd class="mono">{valueText(value)}</dd>
          </div>
        ))}
      </dl>
    </li>
  )
}
