/** Logs with pino, metrics with prom-client and traces with OpenTelemetry, from the hooks of a handler. */
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { CommandRegistry } from 'commandry'
import { createHandler, openAccess, type HandlerOptions, type ResponseReport } from 'commandry/http'
import type { Logger } from 'pino'
import { Histogram, type Registry } from 'prom-client'

/** The hooks that write to a log, count in a registry of metrics, and end a span for each response. */
export function hooks(log: Logger, metrics: Registry): Pick<HandlerOptions, 'onError' | 'onResponse'> {
  const seconds = new Histogram({
    name: 'commandry_request_seconds',
    help: 'Seconds to the response, by the pattern of the route.',
    labelNames: ['method', 'route', 'status'],
    registers: [metrics],
  })
  return {
    onError: (error, { route, principal }) =>
      log.error({ err: error, route, application: principal?.applicationId }, 'request failed'),
    onResponse(report) {
      const { request, route, status, duration, principal } = report
      // Never the path, which may contain the token of an interaction, and would be a label for each id.
      const labels = { method: request.method, route: route ?? 'none', status }
      seconds.observe(labels, duration / 1000)
      log.info({ ...labels, duration, application: principal?.applicationId }, 'request')
      span(report)
    },
  }
}

function span({ request, route, status, duration, error }: ResponseReport): void {
  const ended = Date.now()
  const started = trace.getTracer('commandry').startSpan(`${request.method} ${route ?? ''}`.trim(), {
    kind: SpanKind.SERVER,
    startTime: ended - duration,
    attributes: { 'http.request.method': request.method, 'http.response.status_code': status },
  })
  if (route !== null) started.setAttribute('http.route', route)
  if (error instanceof Error) started.recordException(error)
  if (status >= 500) started.setStatus({ code: SpanStatusCode.ERROR })
  started.end(ended)
}

export function observedHandler(log: Logger, metrics: Registry) {
  return createHandler({
    registry: new CommandRegistry(),
    authenticate: openAccess(),
    ...hooks(log, metrics),
  })
}
