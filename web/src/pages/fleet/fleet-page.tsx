/** One fleet: every cluster with its row, what it really is, and its registrations; rows are added, changed and removed. */
import { useEffect, useState } from 'preact/hooks'
import type { ClusterRow } from '#model/api-fleets.ts'
import { api } from '../../api/client.ts'
import { AskedView, Empty } from '../../parts/asked-view.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Notice } from '../../parts/notice.tsx'
import { sentence } from '../../parts/sentence.ts'
import { HealthMark, SyncMark } from '../../parts/state-mark.tsx'
import { valueText } from '../../parts/value-text.ts'
import { useAsked } from '../../state/asked.ts'
import { appLink } from '../../state/links.ts'
import { useLive } from '../../state/live-asked.ts'
import type { LiveRun, LiveStep } from '../../state/live-run.ts'
import { useLiveRun } from '../../state/use-live-run.ts'
import { RunBanner } from '../runs/run-banner.tsx'
import { mayChange } from '../../state/session.ts'
import { ClusterDialog } from './cluster-dialog.tsx'
import { fleetTrouble } from './fleet-trouble.ts'
import { RemoveClusterDialog } from './remove-cluster-dialog.tsx'

export function FleetPage({ name }: { readonly name: string }) {
  const asked = useAsked((signal) => api.fleet(name, signal), [name])
  const app = useAsked((signal) => api.app(`fleet:${name}`, signal), [name])
  useLive(asked.reload, ['app', 'run'])
  useLive(app.reload, ['app'])
  const trouble = app.answer && fleetTrouble(app.answer)
  const run = useLiveRun(`fleet:${name}`)
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
    <AskedView asked={asked} title={name}>
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
          {refusal !== undefined && <Notice tone="info">{sentence(refusal)}</Notice>}
          {trouble !== undefined && <Notice tone="bad">{trouble}</Notice>}
          {run !== undefined && <RunBanner appKey={key} run={run} />}
          {clusters.length === 0 ? (
            <Empty
              icon="fleet"
              title={trouble === undefined ? 'No cluster yet' : 'No cluster is known'}
            >
              <p>Each row of its table is a cluster that Tend makes, registers and keeps.</p>
            </Empty>
          ) : (
            <ul class="clusters">
              {clusters.map((cluster) => (
                <Cluster
                  key={cluster.name}
                  cluster={cluster}
                  steps={stepsOf(run, cluster.name)}
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
              taken={clusters.map((cluster) => cluster.name)}
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

/** What the run does about one cluster: itself, its route, its registrations. */
function stepsOf(run: LiveRun | undefined, name: string): readonly (readonly [string, LiveStep])[] {
  if (run === undefined) return []
  return [...run.steps].flatMap(([ref, step]) => {
    const at = ref.indexOf('/')
    const isShown = run.ended === undefined || step.tone === 'bad'
    return isShown && ref.slice(at + 1) === name ? [[ref.slice(0, at), step] as const] : []
  })
}

function Cluster({
  cluster: { name, provider, declared, actual, assessment, conditions },
  steps,
  canChange,
  edit,
  remove,
}: {
  readonly cluster: ClusterRow
  readonly steps: ReturnType<typeof stepsOf>
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
        <p class="small">{sentence(assessment.sync.reason)}</p>
      )}
      {steps.length > 0 && (
        <ul class="cluster-steps small" aria-label={`What happens to ${name}`}>
          {steps.map(([kind, { tone, words, isGoingOn }]) => (
            <li key={kind} class={`tone-${tone}`}>
              <Icon
                name={isGoingOn ? 'spinner' : tone === 'bad' ? 'fail' : 'check'}
                spins={isGoingOn}
              />
              {kind}: {words}
            </li>
          ))}
        </ul>
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
      {conditions
        .filter(({ state, reason }) => state !== 'true' && reason !== '')
        .map(({ type, reason }) => (
          <p key={type} class="small">
            <strong>{type}</strong>: {reason}
          </p>
        ))}
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
