import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { pageWith } from '../../../../src/tools/cli/commands/page.ts'
import { newDirectory } from '../../../support/directory.ts'
import { findings } from '../axe.ts'
import { describePage } from '../open.ts'
import { answer, inspect } from '../states.ts'

const folder = newDirectory()
afterAll(() => rmSync(folder, { recursive: true }))

let count = 0

/** The address of a page as one file with these definitions. */
async function fileWith(commands?: readonly object[]): Promise<string> {
  const path = join(folder, `${count++}.html`)
  writeFileSync(path, await pageWith(commands === undefined ? '' : JSON.stringify(commands)))
  return pathToFileURL(path).href
}

const ping = { name: 'ping', description: 'Answers </script><b>pong</b>' }

it('is at most 210 KB compressed, with the servers and people that live in it', async () => {
  expect(gzipSync(await pageWith('')).length).toBeLessThan(210_000)
})

describePage('the page as one file', (page) => {
  const isReady = () => page.until('document.documentElement.dataset.ready !== undefined')
  const open = async (url: string) => {
    await page.tab.context().setOffline(true)
    await page.tab.goto(url)
    await isReady()
  }
  /** Opens the same file once more, in the same process: another one may not yet see what this one has stored. */
  const again = async () => {
    await page.tab.reload()
    await isReady()
  }

  it.each(['member', 'editor', 'access', 'translations', 'requests', 'plan'])(
    'opens the view %s from a disk, without a network',
    async (view) => {
      await open(await fileWith())
      await page.starts('.entry .name', '/ban')
      await page.click(`nav a[href*="${view}"]`)
      await page.has(`nav a[href*="${view}"][aria-current]`)
      expect(await findings(page)).toEqual([])
    },
  )

  // Each has a time limit of its own: a busy machine opens a file in seconds.
  it.each(['', 'x', '{}', '[]', 'null', '1', '{"format":1}', '{"value":{"a":1},"revision":"1"}'])(
    'starts again and says so when the browser keeps %j',
    async (text) => {
      await open(await fileWith([ping]))
      await page.tab.evaluate((damaged) => {
        // Pages of all files share the storage.
        for (const key of Object.keys(localStorage))
          if (key.includes(' scope/')) localStorage.setItem(key, damaged)
      }, text)
      await again()
      await page.starts('.notice', /state that this browser kept is damaged/)
      await page.starts('.entry .name', '/ping')
      await again()
      await page.starts('.entry .name', '/ping')
    },
  )

  it('uses a command, answers it, and shows the interaction', async () => {
    await open(await fileWith([ping]))
    await page.keys('/', "'ping'", 'Enter')
    await page.hasFocus('send')
    await page.keys('Enter')
    await page.has('.used')
    await inspect(page)
    await page.starts('#inspector pre', /"name": "ping"/)
    await answer(page, { type: 4, data: { content: '**Pong**' } })
    await page.shows('.bubble b', 'Pong')
  })

  it('keeps a deployed change over a reload, and starts again with its own commands', async () => {
    await open(await fileWith([ping]))
    await page.click('nav a[href*="editor"]')
    await page.starts('.preview .name', '/ping')
    await page.set('#source', JSON.stringify([{ ...ping, name: 'pong' }]))
    await page.button('Deploy…')
    await page.has('.plan')
    await page.click('.foot .check input')
    await page.click('.foot .main')
    await page.shows('.entry .name', '/pong')
    await again()
    await page.shows('.entry .name', '/pong')
    await page.click('#who summary')
    await page.button('Start again')
    await page.shows('.entry .name', '/ping')
  })

  it('opens as the person who sees most commands, and stays with a chosen one', async () => {
    const kick = { name: 'kick', description: 'x', default_member_permissions: '2' }
    const url = await fileWith([ping, kick])
    await open(url)
    await page.shows('.entry .name', '/kick', '/ping')
    await page.starts('.feed-head .hint', 'as Grace')
    await page.click('#person-100000000000003001')
    await page.shows('.entry .name', '/ping')
    await page.tab.reload()
    await page.shows('.entry .name', '/ping')
  })

  it('lets a translator type the texts, and exports them before they are sent back', async () => {
    await open(`${await fileWith([ping])}#view=translations&lang=de`)
    const field = `[aria-label="/ping, name, Deutsch"]`
    await page.set(field, 'klingel')
    await again()
    await page.becomes(`document.querySelector('${field}').value`, 'klingel')
    expect(await findings(page)).toEqual([])
    await page.click('#who summary')
    const downloaded = page.tab.waitForEvent('download')
    await page.button('Export')
    const file = readFileSync(await (await downloaded).path(), 'utf8')
    expect(JSON.parse(file)).toMatchObject([{ name: 'ping', name_localizations: { de: 'klingel' } }])
    // Who gets that file drops it on Translations, and has the texts in the fields.
    await open(`${await fileWith([{ ...ping, description: 'Other' }])}#view=translations&lang=de`)
    await page.has(field)
    await page.drop('main .content', 'commands.json', file)
    await page.becomes(`document.querySelector('${field}').value`, 'klingel')
  })

  it('says that a link to a file works on this disk only, and what is kept', async () => {
    await open(await fileWith([ping]))
    await page.tab.evaluate(`navigator.clipboard.writeText = async () => {}`)
    await page.click('#who summary')
    await page.starts('.panel fieldset:last-of-type .hint', /the conversation ends with the tab/)
    await page.button('Copy link')
    await page.starts('.notice', /works on this disk only/)
  })

  it('keeps an edited text for its own commands', async () => {
    const url = await fileWith([ping])
    await open(`${url}#view=editor`)
    await page.set('#source', '[]')
    await open(`${await fileWith([{ ...ping, name: 'pong' }])}#view=editor`)
    await page.becomes('document.getElementById("source").value', /"pong"/)
    await open(`${url}#view=editor`)
    await page.becomes('document.getElementById("source").value', '[]')
  })

  it('opens a copied link elsewhere with the same commands', async () => {
    await open(await fileWith([ping]))
    await page.has('.entry')
    await page.tab.evaluate(`navigator.clipboard.writeText = async (text) => { window.copied = text }`)
    await page.click('#who summary')
    await page.button('Copy link')
    await page.until('window.copied !== undefined')
    const link = await page.tab.evaluate<string>('window.copied')
    await open(`${await fileWith()}${link.slice(link.indexOf('#'))}`)
    await page.shows('.entry .name', '/ping')
  })

  it('reads a link that another program made, and says when one cannot be read', async () => {
    const code = deflateRawSync(JSON.stringify([{ ...ping, name: 'linked' }])).toString('base64url')
    await open(`${await fileWith()}#set=${code}`)
    await page.shows('.entry .name', '/linked')
    await open(`${await fileWith([ping])}#set=broken!`)
    await page.starts('.notice', /link cannot be read/)
    await page.shows('.entry .name', '/ping')
  })

  it('opens definitions with errors in the Editor, with their issues', async () => {
    await open(await fileWith([ping, { name: 'Bad', description: 'x' }]))
    await page.starts('.findings .finding', /name has upper case/)
  })
})
