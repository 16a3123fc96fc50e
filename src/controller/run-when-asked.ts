/** Runs one application each time that it is asked for, and never by itself: by the scheduler, the monitor and the runs of the service. */
import { channelOf } from '#engine/channel.ts'
import type { Declared } from '#model/declaration.ts'
import type { Event } from '#model/event.ts'
import { Problem } from '#model/problem.ts'
import type { Allowed } from '#model/service.ts'
import { createLoop } from './loop.ts'
import { dryRun } from './run/execute-run.ts'
import { wantedNow } from './run/run-app.ts'
import { addAsk, setDeclaration, takeAsks } from './state/app-state.ts'
import { createAppState } from './state/create-app-state.ts'
import { withoutSources, type OwnDependencies } from './without-sources.ts'

export type AskedRuns = {
  /** One run, and the look at what came of it. The events end with that. Throws when it could not begin. */
  run(allowed: Allowed): AsyncIterable<Event>
  /** The same, with nothing applied. */
  dryRun(allowed: Allowed): AsyncIterable<Event>
  /** Interrupts what is under way, and begins nothing more. */
  stop(): Promise<void>
}

/** Nobody asks for each of the runs. */
const trigger = 'refresh'

/** `since`: when the application was first installed, ms. */
export function runWhenAsked(
  parts: OwnDependencies,
  declared: Declared & { readonly isRenderedByRuns: true },
  since: number,
): AskedRuns {
  // switched off is what nobody asks for: drift and what is not well are seen, and left to the next run
  const loop = createLoop(withoutSources(parts, { isEnabled: false }))
  const { service, monitors } = loop
  const app = createAppState(declared.application, parts.instance, {
    since,
    from: '',
    removes: false,
    isRemoved: false,
    // what it is to be is known when a run has read it
    desired: { hash: '', file: '', inputs: { about: '', read: '' } },
  })
  const monitor = monitors.for(declared.application.kind, declared.target)
  setDeclaration(app, { declared, branch: undefined, monitor })
  service.apps.set(app.key, app)
  loop.begin()

  // what is under way comes to its end, and what is not begun by now never is
  service.stop.addEventListener('abort', () => {
    for (const ask of takeAsks(app)) ask.refuse?.(interrupted())
  })

  function asked(allowed: Allowed): Promise<unknown> {
    if (service.stop.aborted) return Promise.reject(interrupted())
    return new Promise((answer, refuse) => {
      addAsk(app, { trigger, allowed, answer, refuse })
      service.wake()
    })
  }

  return {
    run(allowed) {
      const channel = channelOf<Event>()
      const silence = loop.listen((event) => {
        if (event.type === 'run') channel.push(event.event)
      })
      void asked(allowed)
        .finally(silence)
        .then(
          () => channel.close(),
          (reason: unknown) => channel.fail(reason),
        )
      return channel.stream
    },
    async *dryRun(allowed) {
      yield* dryRun(service, app, await wantedNow(service, app), trigger, allowed)
    },
    stop: () => loop.stop(),
  }
}

function interrupted(): Problem {
  return new Problem({ type: 'runtime', code: 'interrupted', message: 'interrupted' })
}
