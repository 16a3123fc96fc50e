/** Who of the replicas decides what nobody else does; and whether a service of an earlier version leads, which does everything alone. */
import { numberIn, textIn, type Query } from './database.ts'

export type Lead = {
  readonly id: string
  readonly isNew: boolean
  /** The name of a service that leads and knows of no replicas. */
  readonly alone: string | undefined
}

type Self = { readonly id: string; readonly name: string; readonly url: string }

/** The lease is the one that earlier versions take too, so that one of the two versions works at a time. */
export async function keepLead(
  inside: Query,
  now: string,
  expiry: number,
  self: Self,
): Promise<Lead> {
  const renewed = await inside.change(
    `update leases set expires_at = ${now} + ? where key = 'service' and token = ?`,
    [expiry, self.id],
  )
  if (renewed === 1) return { id: self.id, isNew: false, alone: undefined }
  const [row] = await inside.rows(
    `select token, holder, leases.expires_at > ${now} as is_held,
     (select count(*) from replicas where replicas.id = leases.token) as known
     from leases where key = 'service'`,
  )
  const isHeld = row !== undefined && Boolean(row['is_held'])
  if (row !== undefined && isHeld) {
    const isReplica = numberIn(row, 'known') > 0
    if (isReplica) return { id: textIn(row, 'token'), isNew: false, alone: undefined }
    return { id: '', isNew: false, alone: textIn(row, 'holder') }
  }
  // those of an earlier version pass on what they are asked: not before there is somebody to pass it on to
  if (self.url === '') return { id: '', isNew: false, alone: undefined }
  const [taken] = await inside.rows(
    `insert into leases (key, token, holder, since, expires_at, generation)
     values ('service', ?, ?, ${now}, ${now} + ?, 1)
     on conflict (key) do update set token = excluded.token, holder = excluded.holder,
     since = excluded.since, expires_at = excluded.expires_at, machine = null, pid = null,
     process_start = null, generation = leases.generation + 1
     where leases.expires_at <= ${now} returning generation`,
    [self.id, self.name, expiry],
  )
  if (taken === undefined) return { id: '', isNew: false, alone: undefined }
  await inside.change(
    `insert into notes (topic, key, body) values ('replicas', 'leader', ?)
     on conflict (topic, key) do update set body = excluded.body`,
    [JSON.stringify({ url: self.url, name: self.name })],
  )
  return { id: self.id, isNew: true, alone: undefined }
}
