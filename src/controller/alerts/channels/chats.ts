/** Slack, Discord and ntfy: one message each, of which nothing is taken for a command or a mention. */
import { cut, linesOf, titleOf, type Alert } from '../alert.ts'
import { refused, type Delivery } from '../deliver.ts'

const json = { 'Content-Type': 'application/json' }

export function slackDelivery(url: string, alert: Alert): Delivery {
  const sign = alert.type === 'failing' ? ':red_circle:' : ':large_green_circle:'
  const text = [`${sign} *${plainForSlack(titleOf(alert))}*`, ...linesOf(alert).map(plainForSlack)]
  return { url, headers: json, body: JSON.stringify({ text: cut(text.join('\n'), 3000) }) }
}

function plainForSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

const red = 0xd93025
const green = 0x1e8e3e

export function discordDelivery(url: string, alert: Alert): Delivery {
  const embed = {
    title: cut(titleOf(alert), 256),
    description: cut(linesOf(alert).join('\n'), 4000),
    color: alert.type === 'failing' ? red : green,
    timestamp: new Date(alert.at).toISOString(),
  }
  const body = JSON.stringify({ embeds: [embed], allowed_mentions: { parse: [] } })
  return { url, headers: json, body }
}

/** The topic is the last part of the address. As JSON, since headers take no letters beyond ASCII. */
export function ntfyDelivery(url: string, token: string | undefined, alert: Alert): Delivery {
  const address = new URL(url)
  const [, above = '', topic = ''] = /^(.*\/)([^/]+)\/?$/.exec(address.pathname) ?? []
  if (topic === '') throw refused('its address names no topic', 'write it as https://ntfy.sh/TOPIC')
  address.pathname = above
  const isFailing = alert.type === 'failing'
  const body = JSON.stringify({
    topic: decodeURIComponent(topic),
    title: cut(titleOf(alert), 200),
    message: cut(linesOf(alert).join('\n'), 3500),
    priority: isFailing ? 4 : 3,
    tags: [isFailing ? 'rotating_light' : 'white_check_mark'],
  })
  const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  return { url: address.href, headers: { ...json, ...authorization }, body }
}
