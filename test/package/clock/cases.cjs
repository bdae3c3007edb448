// The same tests for each runner.
const { testbed } = require('commandry/testbed')
const { commands, startBot } = require('./bot.cjs')

/** @param equal compares two values as the assertions of the runner do */
module.exports = ({ test, before, after, equal, useFakeTimers, useRealTimers }) => {
  let bed
  let client
  before(async () => {
    bed = await testbed({ commands })
    client = await startBot(bed)
  })
  after(async () => {
    await client.destroy()
    await bed.close()
  })

  test('a collector ends after 15 minutes', async () => {
    const shown = await bed.as('ada').use('/poll')
    await bed.as('alan').press(shown, 'Vote')
    await bed.advance('15m')
    equal(shown.content, '1 votes')
  })

  test('a chain of timers and requests is done', async () => {
    const shown = await bed.as('ada').use('/chain')
    await bed.advance('10m')
    equal(shown.content, '10')
  })

  test('a cooldown passes', async () => {
    const daily = async () => (await bed.as('ada').use('/daily')).content
    equal([await daily(), await daily()].join(), '100 coins,Come back tomorrow')
    await bed.advance('1d')
    equal(await daily(), '100 coins')
  })

  test('the bot stays connected for a month', async () => {
    await bed.advance('30d')
    equal(
      bed
        .transcript()
        .match(/connects|closed/g)
        .join(),
      'connects',
    )
  })

  if (useFakeTimers)
    test('other fake timers are refused', async () => {
      useFakeTimers()
      const error = await bed.advance('1s').catch((error) => error)
      useRealTimers()
      equal(error.message.split(';')[0], 'advance: the fake timers of the test runner are on')
      await bed.advance('1s')
    })
}
