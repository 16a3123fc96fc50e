/** Fleets: which there are, and the clusters of the one that is opened. */
import { useEffect } from 'preact/hooks'
import { api } from '../../api/client.ts'
import { AskedView, Empty } from '../../parts/asked-view.tsx'
import { sentence } from '../../parts/sentence.ts'
import { HealthMark, SyncMark } from '../../parts/state-mark.tsx'
import { useAsked } from '../../state/asked.ts'
import { useLive } from '../../state/live-asked.ts'
import { FleetPage } from './fleet-page.tsx'

export function FleetsPage({ name }: { readonly name: string | undefined }) {
  return name === undefined ? <FleetList /> : <FleetPage name={name} />
}

function FleetList() {
  const asked = useAsked((signal) => api.overview({ kind: 'fleet', sort: 'name' }, signal), [])
  useLive(asked.reload, ['app', 'gone'])
  useEffect(() => {
    document.title = 'Fleets · Tend'
  }, [])
  return (
    <>
      <div class="page-head">
        <h1>Fleets</h1>
      </div>
      <AskedView asked={asked}>
        {({ apps }) =>
          apps.length === 0 ? (
            <Empty icon="fleet" title="No fleet is declared">
              <p>
                A fleet is a table of clusters that Tend keeps as its rows say. Declare one in
                tend.yaml under <code>fleets</code>.
              </p>
            </Empty>
          ) : (
            <ul class="fleet-list">
              {apps.map(({ key, application, health, sync, containers }) => (
                <li key={key} class="panel">
                  <a class="link" href={`/fleets/${encodeURIComponent(application.name)}`}>
                    <strong>{application.name}</strong>
                  </a>
                  <HealthMark state={health.state} reason={health.reason} />
                  <SyncMark state={sync.state} reason={sync.reason} />
                  <span class="muted">
                    {containers.running} of {containers.total} clusters run
                  </span>
                  <span class="muted truncate">{sentence(health.reason)}</span>
                </li>
              ))}
            </ul>
          )
        }
      </AskedView>
    </>
  )
}
