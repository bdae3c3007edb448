import { describe, expect, it } from 'vitest'
import { maskBody, maskPath } from '../../../src/interactions/bot/mask.ts'

describe('maskBody', () => {
  it.each([
    ['{"op":2,"d":{"token":"s3cret"}}', '{"op":2,"d":{"token":"***"}}'],
    ['{"op": 2, "d": {"token" : "s3cret", "intents": 0}}', '{"op":2,"d":{"token":"***","intents":0}}'],
    ['{"token":"a\\"s3cret"}', '{"token":"***"}'],
    ['{"tok\\u0065n":"s3cret"}', '{"token":"***"}'],
    ['{"token":"s3cret","token":"s3cret2"}', '{"token":"***"}'],
    [
      '{"d":{"token":"s3cret","session_id":"s3","seq":4}}',
      '{"d":{"token":"***","session_id":"***","seq":4}}',
    ],
    ['[{"access_token":["s3cret"]}]', '[{"access_token":"***"}]'],
    ['{"Authorization":"Bot s3","client_secret":"s3cret"}', '{"Authorization":"***","client_secret":"***"}'],
    ['{"token":null}', '{"token":null}'],
    ['{"token":"s3cret"', '(17 characters)'],
    ['{"__proto__":{"token":"s3cret"}}', '{"__proto__":{"token":"***"}}'],
    ['', ''],
  ])('%s', (body, masked) => expect(maskBody(body)).toBe(masked))

  it('shows the JSON part of a form, and the sizes of other and of larger bodies', () => {
    const part = 'Content-Disposition: form-data; name="payload_json"\r\nContent-Type: application/json'
    const form = `--b\r\n${part}\r\n\r\n{"content":"x","token":"s3cret"}\r\n--b\r\n\r\ns3cret\r\n--b--`
    const bytes = new TextEncoder().encode(form)
    expect(maskBody(bytes, 'multipart/form-data; boundary=b')).toBe('{"content":"x","token":"***"}')
    // Only a form has the field.
    expect(maskBody(bytes, 'application/json')).toBe(`(${bytes.length} bytes)`)
    expect(maskBody(new TextEncoder().encode('--b--'), 'multipart/form-data; boundary=b')).toBe('(5 bytes)')
    expect(maskBody(new Uint8Array(1))).toBe('(1 byte)')
    expect([7, 8].map((most) => maskBody('"s3cret"', null, most))).toEqual(['(8 characters)', '"s3cret"'])
    expect(maskBody('['.repeat(200_000) + ']'.repeat(200_000), null, Infinity)).toMatch(
      /^\(400000 characters\)$|^\[/,
    )
  })
})

describe('maskPath', () => {
  it.each([
    ['/api/v10/interactions/1/s3cret/callback', '/api/v10/interactions/1/***/callback'],
    ['/api/v10/webhooks/55/s3cret', '/api/v10/webhooks/55/***'],
    ['/api/v10/webhooks/55/s3cret/messages/@original', '/api/v10/webhooks/55/***/messages/@original'],
    ['/webhooks/55/12345/messages/77', '/webhooks/55/***/messages/77'],
    ['//webhooks//55//s3cret', '/webhooks/55/***'],
    ['/WEBHOOKS/55/s3cret', '/WEBHOOKS/55/***'],
    ['/webhooks/55%2Fs3cret', '/webhooks/55/***'],
    ['/webhooks/55%252fs3cret', '/webhooks/55/***'],
    ['/%77ebhooks/55/s3cret%zz', '/webhooks/55/***'],
    ['/webhooks/s3cret', '/webhooks/***'],
    ['/webhooks/55/s3cret/s3cret', '/webhooks/55/***/***'],
    ['/applications/1/commands', '/applications/1/commands'],
    ['/no%0Athing', '/no%0Athing'],
    ['/a\u001b[2Jb', '/a?[2Jb'],
  ])('%s', (path, masked) => expect(maskPath(path)).toBe(masked))

  it('hides secrets of the query, and keeps other queries as they are', () => {
    expect(maskPath('/gateway', 'v=10&encoding=j%20son')).toBe('/gateway?v=10&encoding=j%20son')
    expect(maskPath('/gateway', 'v=10&token=s3cret')).toBe('/gateway?v=10&token=***')
    expect(maskPath('/gateway', 't%256fken=s3cret&Token=s3cret')).not.toContain('s3cret')
  })
})
