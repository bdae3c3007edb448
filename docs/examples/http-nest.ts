/** The service as a part of a NestJS app: its `main.ts`. */
import { NestFactory } from '@nestjs/core'
import { CommandRegistry } from 'commandry'
import { createHandler, openAccess } from 'commandry/http'
import { requestListener } from 'commandry/node'

const handler = createHandler({ registry: new CommandRegistry(), authenticate: openAccess() })

export async function bootstrap(AppModule: object, port: number) {
  const app = await NestFactory.create(AppModule)
  // Middleware stands before guards and interceptors: `authenticate` decides. Other paths go to your controllers.
  app.use(requestListener(handler))
  app.enableShutdownHooks()
  await app.listen(port, '127.0.0.1')
  return app
}
