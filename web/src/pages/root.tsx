/** From an address to its page. Pages beyond the first are loaded when they are opened. */
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { api } from '../api/client.ts'
import { isLoginNeeded, troubleIn, type Trouble } from '../api/request.ts'
import { follow } from '../api/stream.ts'
import { Empty, Skeleton } from '../parts/asked-view.tsx'
import { TroubleNotice } from '../parts/notice.tsx'
import { path } from '../state/address.ts'
import { placeOf, type Place } from '../state/routes.ts'
import { begin, hasCode, me } from '../state/session.ts'
import { Login } from './login.tsx'
import { Overview } from './overview/overview.tsx'
import { Shell } from './shell.tsx'

export function Root() {
  const [trouble, setTrouble] = useState<Trouble>()
  const [round, setRound] = useState(0)
  useEffect(() => {
    begin().then(
      () => setTrouble(undefined),
      (thrown: unknown) => setTrouble(troubleIn(thrown)),
    )
  }, [round])
  // a link of `tend login` that is put into an open page changes what is behind the # alone: nothing is loaded anew
  useEffect(() => {
    const another = () => {
      if (hasCode()) setRound((before) => before + 1)
    }
    addEventListener('hashchange', another)
    return () => removeEventListener('hashchange', another)
  }, [])

  if (isLoginNeeded.value) return <Login />
  if (me.value === undefined) {
    if (trouble === undefined) return <Skeleton />
    return (
      <main class="login" id="content">
        <h1 class="hidden">Tend</h1>
        <TroubleNotice trouble={trouble} retry={() => setRound(round + 1)} />
      </main>
    )
  }
  const place = placeOf(path.value)
  return (
    <Shell place={place}>
      <Page place={place} />
    </Shell>
  )
}

function Page({ place }: { readonly place: Place }) {
  switch (place.page) {
    case 'overview':
      return <Overview />
    case 'app':
      return <Later load={loadApplication} props={{ appKey: place.key, tab: place.tab }} />
    case 'plan':
      return <Later load={loadPlan} props={{ id: place.id }} />
    case 'timeline':
      return <Later load={loadTimeline} props={{}} />
    case 'sources':
      return <Later load={loadSources} props={{}} />
    case 'targets':
      return <Later load={loadTargets} props={{}} />
    case 'fleets':
      return <Later load={loadFleets} props={{ name: place.name }} />
    case 'start':
      return <Later load={loadStart} props={{ isFirst: false }} />
    case 'unknown':
      return <NoPage />
  }
}

function NoPage() {
  useEffect(() => follow({}), [])
  return (
    <>
      <h1 class="hidden">Not found</h1>
      <Empty icon="question" title="There is no page at this address">
        <a class="link" href="/">
          To the overview
        </a>
      </Empty>
    </>
  )
}

const loadApplication = () =>
  import('./application/application.tsx').then((it) => it.ApplicationPage)
const loadPlan = () => import('./plan/plan-page.tsx').then((it) => it.PlanPage)
const loadTimeline = () => import('./timeline/timeline-page.tsx').then((it) => it.TimelinePage)
const loadSources = () => import('./sources.tsx').then((it) => it.SourcesPage)
const loadTargets = () => import('./targets.tsx').then((it) => it.TargetsPage)
const loadFleets = () => import('./fleet/fleets.tsx').then((it) => it.FleetsPage)
const loadStart = () => import('./overview/first-use.tsx').then((it) => it.FirstUse)

const notLoaded = {
  status: 0,
  detail: 'This page could not be loaded.',
  suggestion: 'The service may be away, or was updated. The page is loaded again when it answers.',
}

/** A browser never asks again for a part that it could not load: only a page that is loaded anew does. By itself once a minute. */
async function reloadWhenBack(isOver: () => boolean): Promise<void> {
  const last = Number(sessionStorage.getItem(reloadedAt) ?? 0)
  if (Date.now() - last < 60_000) return
  while (!isOver()) {
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    const isBack = await api.me().then(
      () => true,
      () => false,
    )
    if (!isBack || isOver()) continue
    sessionStorage.setItem(reloadedAt, String(Date.now()))
    location.reload()
    return
  }
}

const reloadedAt = 'tend-reloaded'

function Later<Props extends object>({
  load,
  props,
}: {
  readonly load: () => Promise<ComponentType<Props>>
  readonly props: Props
}) {
  const [loaded, setLoaded] = useState<{
    readonly by: typeof load
    readonly View: ComponentType<Props>
  }>()
  const [failed, setFailed] = useState<typeof load>()
  useEffect(() => {
    let isOver = false
    load().then(
      (View) => !isOver && setLoaded({ by: load, View }),
      () => {
        if (isOver) return
        setFailed(() => load)
        void reloadWhenBack(() => isOver)
      },
    )
    return () => {
      isOver = true
    }
  }, [load])
  if (failed === load) return <TroubleNotice trouble={notLoaded} retry={() => location.reload()} />
  if (loaded?.by !== load) return <Skeleton />
  return <loaded.View {...props} />
}
