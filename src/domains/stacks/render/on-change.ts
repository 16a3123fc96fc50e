/** `x-tend: { on-change: … }` of a service or of one of its mounts: what a change of a bound file or folder of the project does. */
import { recordOf, textOf } from '#model/read-json.ts'
import type { Mount, Service } from '#formats/compose/schema/file.ts'
import { isRecord, type Json } from '#model/json.ts'
import { isBelow } from '#model/policy.ts'
import type { Fill, OnChange } from '../spec.ts'
import type { Finding } from './finding.ts'
import { servicesOf, type Path, type Stage } from './stage.ts'

/** By path in the container. Only what is bound read-only from the project: of the rest nobody says when it changed. */
export function onChangeOf(
  stage: Stage,
  name: string,
  service: Service,
): Readonly<Record<string, OnChange>> {
  const whole = saidIn(stage, ['services', name])
  const own = (service.volumes ?? []).flatMap((volume, index) => {
    const said = saidIn(stage, ['services', name, 'volumes', index]) ?? whole
    if (said === undefined || said === 'recreate' || !isBound(volume, stage.root)) return []
    return [[volume.target ?? '', said] as const]
  })
  return Object.fromEntries(own)
}

/** Where the files of a snapshot are copied to: these stay in their place. */
export function fillsOf(
  stage: Stage,
  name: string,
  service: Service,
): Readonly<Record<string, Fill>> {
  if (stage.input.place === undefined) return {}
  const handled = onChangeOf(stage, name, service)
  const own = (service.volumes ?? []).flatMap(({ source = '', target = '' }) => {
    if (handled[target] === undefined) return []
    const fill = stage.placing.kept(source)
    return fill === undefined ? [] : [[target, fill] as const]
  })
  return Object.fromEntries(own)
}

function isBound({ type, source = '', read_only: isReadOnly }: Mount, root: string): boolean {
  return type === 'bind' && isReadOnly === true && source !== root && isBelow(source, root)
}

function saidIn({ loaded }: Stage, path: Path): OnChange | 'recreate' | undefined {
  return wordOf(recordOf(loaded.extensionOf([...path, key]))['on-change'])
}

const key = 'x-tend'

function wordOf(said: Json | undefined): OnChange | 'recreate' | undefined {
  if (said === 'recreate' || said === 'restart' || said === 'ignore') return said
  const [, signal] = /^signal:((?:SIG)?[A-Z][A-Z0-9+-]*|[1-9]\d?)$/.exec(textOf(said)) ?? []
  return signal === undefined ? undefined : `signal:${signal}`
}

export function onChangeFindings(stage: Stage): readonly Finding[] {
  return servicesOf(stage).flatMap(([name, service]) => [
    ...faultsOf(stage, ['services', name]),
    ...(service.volumes ?? []).flatMap((volume, index) => {
      const path = ['services', name, 'volumes', index]
      const isIdle = saidIn(stage, path) !== undefined && !isBound(volume, stage.root)
      return [...faultsOf(stage, path), ...(isIdle ? [idle([...path, key])] : [])]
    }),
  ])
}

/** The key is ours: what is misspelt in it must not be passed over. */
function faultsOf({ loaded }: Stage, path: Path): readonly Finding[] {
  const said = loaded.extensionOf([...path, key])
  if (said === undefined) return []
  const fault = (message: string): Finding => ({
    path: [...path, key],
    isError: true,
    code: 'compose_error',
    message,
    suggestion: 'write x-tend: { on-change: recreate }, restart, ignore or signal:SIGHUP',
  })
  if (!isRecord<Json>(said)) return [fault('x-tend is a map')]
  const other = Object.keys(said).find((word) => word !== 'on-change')
  if (other !== undefined) return [fault(`x-tend knows no ${other}`)]
  return wordOf(said['on-change']) === undefined
    ? [fault(`on-change: ${JSON.stringify(said['on-change'] ?? null)} is not known`)]
    : []
}

function idle(path: Path): Finding {
  const message =
    'on-change has no effect here: it is for files and folders of the project that are bound read-only'
  return { path, isError: false, code: 'unsupported', message }
}
