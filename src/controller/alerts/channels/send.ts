/** Sends an alert over a declared channel; its secrets are read for this and forgotten. */
import type { AlertChannel } from '#model/declaration.ts'
import type { Alert } from '../alert.ts'
import type { ReadSecret } from '../alert-parts.ts'
import { deliver, refused } from '../deliver.ts'
import { mailOf } from '../mail-text.ts'
import { mailServerOf, sendMail } from '../smtp.ts'
import { discordDelivery, ntfyDelivery, slackDelivery } from './chats.ts'
import { webhookDelivery } from './webhook.ts'

export async function send(
  channel: AlertChannel,
  alert: Alert,
  readSecret: ReadSecret,
  signal: AbortSignal,
): Promise<void> {
  const url = 'text' in channel.url ? channel.url.text : await readSecret(channel.url)
  const secret = channel.secret === undefined ? undefined : await readSecret(channel.secret)
  if (URL.parse(url) === null) throw refused('its address is none', 'check url')
  switch (channel.kind) {
    case 'webhook':
      return deliver(webhookDelivery(url, secret, alert), signal)
    case 'slack':
      return deliver(slackDelivery(url, alert), signal)
    case 'discord':
      return deliver(discordDelivery(url, alert), signal)
    case 'ntfy':
      return deliver(ntfyDelivery(url, secret, alert), signal)
    case 'email': {
      const { from = '', to = '', user } = channel.settings
      const login = user === undefined ? undefined : { user, password: secret ?? '' }
      return sendMail({ ...mailServerOf(url), login }, mailOf(alert, from, to), signal)
    }
  }
}
