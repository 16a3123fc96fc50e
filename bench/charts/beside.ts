/** What replacing side by side costs two clients that never stop. */
import { measureBeside } from '../../test/testbed/beside-clients.ts'

const upgrades = Number(process.argv[2] ?? 100)
const measured = await measureBeside(upgrades, (line) => console.error(line))
console.log(JSON.stringify(measured, undefined, 2))
