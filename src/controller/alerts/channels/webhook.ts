/** A generic webhook: the alert as JSON, signed when there is a secret. */
import { createHmac } from 'node:crypto'
import { linesOf, titleOf, type Alert } from '../alert.ts'
import type { Delivery } from '../deliver.ts'

export function webhookDelivery(url: string, secret: string | undefined, alert: Alert): Delivery {
  const { since, at, ...facts } = alert
  const body = JSON.stringify({
    ...facts,
    title: titleOf(alert),
    text: linesOf(alert).join('\n'),
    since: new Date(since).toISOString(),
    at: new Date(at).toISOString(),
  })
  return {
    url,
    headers: {
      'Content-Type': 'application/json',
      'X-Tend-Event': alert.type,
      'X-Tend-Delivery': alert.id,
      ...(secret === undefined ? {} : { 'X-Tend-Signature-256': `sha256=${signed(secret, body)}` }),
    },
    body,
  }
}

function signed(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}
