/** Runs discord-digital-twin on the loopback interface, and prints its address. */
import { Server } from 'node:http'

// The package listens on all interfaces.
const { listen } = Server.prototype
Server.prototype.listen = function (port, listening) {
  return listen.call(this, port, '127.0.0.1', listening)
}

const { DigitalDiscord } = await import('discord-digital-twin')
const twin = new DigitalDiscord()
await twin.start()
console.log(`${twin.restUrl}/v10`)
