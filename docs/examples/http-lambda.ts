/** The service as an AWS Lambda function behind a function URL or an HTTP API: payload format 2.0. */
import { CommandRegistry } from 'commandry'
import { createHandler, openAccess } from 'commandry/http'

// Each instance of a function has its own memory: pass a `store` for anything that must last.
const service = createHandler({ registry: new CommandRegistry(), authenticate: openAccess() })

/** The fields of the event that are used; the complete type is `APIGatewayProxyEventV2` of `@types/aws-lambda`. */
interface LambdaEvent {
  readonly rawPath: string
  readonly rawQueryString: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly requestContext: { readonly domainName: string; readonly http: { readonly method: string } }
  readonly body?: string
  readonly isBase64Encoded: boolean
}

export async function handler(event: LambdaEvent) {
  const { rawPath, rawQueryString, requestContext, isBase64Encoded, headers, body } = event
  const response = await service(
    new Request(`https://${requestContext.domainName}${rawPath}?${rawQueryString}`, {
      method: requestContext.http.method,
      headers: headers as Record<string, string>,
      body: body === undefined ? null : Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
    }),
  )
  return {
    statusCode: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  }
}
