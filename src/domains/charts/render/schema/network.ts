/** CuteNetwork. */
import * as z from 'zod/mini'
import { startOf, subnetOf, networkOf } from '../addresses.ts'
import { bad, rule } from '#formats/schema/rule.ts'
import { filled, scalars } from '#formats/schema/terms.ts'
import { address } from './terms.ts'

export const networkSchema = z.strictObject({
  driver: z.optional(filled.check(z.describe('Default: bridge'))),
  subnet: z.optional(
    z.string().check(
      z.meta({ description: 'In CIDR form', examples: ['172.20.0.0/16'] }),
      rule((value) => {
        const subnet = subnetOf(value)
        if (subnet === undefined) {
          return bad(`${JSON.stringify(value)} is not a subnet`, 'write it as 172.20.0.0/16')
        }
        return subnet.number === networkOf(subnet)
          ? undefined
          : bad(`${JSON.stringify(value)} is not where a subnet begins`, `write ${startOf(subnet)}`)
      }),
    ),
  ),
  gateway: z.optional(address.check(z.describe('An address inside the subnet'))),
  options: z.optional(scalars.check(z.describe("Options of the driver, such as mtu: '1400'"))),
})
export type NetworkData = z.infer<typeof networkSchema>
