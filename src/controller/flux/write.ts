/** Writes to Flux's objects: a status only when it changed, finalizers only over the very version that was read. */
import type { Kubernetes } from '#clients/kubernetes/client.ts'
import type { ApiKind } from '#clients/kubernetes/discovery.ts'
import { patchObject } from '#clients/kubernetes/objects.ts'
import { canonical, type Json, type JsonRecord } from '#model/json.ts'
import { finalizer, type FluxObject } from './kinds.ts'

/** As Flux signs them. */
const managers: Readonly<Record<string, string>> = {
  Kustomization: 'gotk-kustomize-controller',
  GitRepository: 'gotk-source-controller',
}

export type Writer = {
  /** Gives the object as it is then; undefined when nothing was to be written. */
  status(
    kind: ApiKind,
    one: FluxObject,
    status: JsonRecord,
    signal: AbortSignal,
  ): Promise<JsonRecord | undefined>
  suspend(
    kind: ApiKind,
    one: FluxObject,
    isSuspended: boolean,
    signal: AbortSignal,
  ): Promise<JsonRecord>
  hold(kind: ApiKind, one: FluxObject, signal: AbortSignal): Promise<JsonRecord>
  release(kind: ApiKind, one: FluxObject, signal: AbortSignal): Promise<JsonRecord>
}

export function writerTo(kubernetes: Kubernetes): Writer {
  function finalizers(
    kind: ApiKind,
    one: FluxObject,
    names: readonly string[],
    signal: AbortSignal,
  ) {
    const { resourceVersion } = one
    const body = { metadata: { finalizers: names, resourceVersion } }
    return patchObject(kubernetes, placeOf(kind, one), { kind: 'merge', body }, how(kind, signal))
  }
  return {
    async status(kind, one, status, signal) {
      if (canonical(status) === canonical(one.status)) return undefined
      const dropped = Object.keys(one.status).filter((field) => status[field] === undefined)
      const gone: Readonly<Record<string, Json>> = Object.fromEntries(
        dropped.map((field) => [field, null]),
      )
      const body = { status: { ...status, ...gone } }
      const writing = { ...how(kind, signal), subresource: 'status' } as const
      return patchObject(kubernetes, placeOf(kind, one), { kind: 'merge', body }, writing)
    },
    suspend(kind, one, isSuspended, signal) {
      const body = { spec: { suspend: isSuspended ? true : null } }
      const writing = { signal, manager: 'tend' }
      return patchObject(kubernetes, placeOf(kind, one), { kind: 'merge', body }, writing)
    },
    hold: (kind, one, signal) => finalizers(kind, one, [...one.finalizers, finalizer], signal),
    release: (kind, one, signal) =>
      finalizers(
        kind,
        one,
        one.finalizers.filter((name) => name !== finalizer),
        signal,
      ),
  }
}

function how(kind: ApiKind, signal: AbortSignal) {
  return { signal, manager: managers[kind.kind] ?? 'tend' }
}

function placeOf(kind: ApiKind, { namespace, name }: FluxObject) {
  return { kind, namespace, name }
}
