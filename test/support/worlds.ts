/** The demo server, servers with what their settings leave out, and the world that a service makes of them. */
export { completeServer, demoServer } from '../../src/model/demo-server.ts'
export { World } from '../../src/service/world/world.ts'
