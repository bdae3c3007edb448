import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { globalScope } from 'commandry'
import { sampleCommands } from '../../src/page/browser/samples.ts'
import { root } from '../support/markdown.ts'
import { app, describePage, guild, type Page } from './open.ts'

const folder = new URL('docs/images/', root)
const file = (name: string) => fileURLToPath(new URL(`${name}.png`, folder))

const draft = `[
  {
    "name": "Remind",
    "description": "Remind me of something",
    "description_localizations": { "de-DE": "Erinnere mich" },
    "options": [
      { "type": 3, "name": "note", "description": "A note" },
      { "type": 4, "name": "hours", "description": "When", "required": true }
    ]
  }
]`

/** Each picture: its width, its theme, and how to get there. */
const pictures: Readonly<Record<string, readonly [number, 'light' | 'dark', (page: Page) => Promise<void>]>> =
  {
    first: [1440, 'light', (page) => page.load()],
    member: [1440, 'light', used],
    'member-tablet': [820, 'dark', member],
    'member-phone': [390, 'dark', member],
    editor: [
      1440,
      'light',
      async (page) => {
        await deploy(page)
        await page.tab.evaluate(`localStorage.setItem('commandry ${app}  Draft', ${JSON.stringify(draft)})`)
        await page.load('?view=editor')
        await page.tab.until(`document.querySelector('.findings li') !== null`)
      },
    ],
    plan: [
      1440,
      'dark',
      async (page) => {
        await deploy(page)
        const [ban, ...others] = sampleCommands as readonly { name: string }[]
        const next = JSON.stringify([{ ...ban, name: 'banish' }, ...others.slice(1)])
        await page.tab.evaluate(`localStorage.setItem('commandry ${app}  Draft', ${JSON.stringify(next)})`)
        await page.load('?view=editor')
        await page.tab.until(`document.getElementById('source').value !== ''`)
        await page.click('nav a[href*="view=plan"]')
        await page.tab.until(`document.querySelector('.plan') !== null`)
      },
    ],
    access: [
      1440,
      'light',
      async (page) => {
        await deploy(page)
        await page.load('?view=access')
        await page.click('#cell-1-1')
        await page.tab.until(`document.querySelector('#inspector .trace') !== null`)
      },
    ],
    translations: [
      1440,
      'light',
      async (page) => {
        await deploy(page)
        await page.load('?view=translations&lang=es-419')
        await page.tab.until(`document.querySelector('.hole') !== null`)
      },
    ],
    requests: [
      1440,
      'dark',
      async (page) => {
        await page.request('PUT', `/applications/${app}/commands`, sampleCommands)
        await page.request('PUT', `/applications/${app}/commands`, JSON.parse(draft))
        await page.load('?view=requests')
        await page.click('.request button')
        await page.tab.until(`document.querySelector('#inspector .problems') !== null`)
      },
    ],
  }

async function deploy(page: Page): Promise<void> {
  await page.load()
  const [ban] = await page.registry.overwrite(globalScope(app), sampleCommands)
  await page.registry.setPermissions(app, guild, ban!.id, [{ id: '5001', type: 1, permission: false }])
}

async function member(page: Page): Promise<void> {
  await deploy(page)
  await page.load('?as=3002')
  await page.tab.until(`document.querySelectorAll('.entry').length > 3`)
  const isWide = await page.tab.evaluate<boolean>('innerWidth > 600')
  if (isWide) await page.tab.until(`document.querySelector('#inspector .trace') !== null`)
}

/** A command that is used in German, with its answer and the interaction beside it, and the next one being typed. */
async function used(page: Page): Promise<void> {
  await deploy(page)
  await page.load('?as=3002&lang=de')
  await page.tab.until(`document.querySelectorAll('.entry').length > 3`)
  await page.click('#entry-0')
  await page.set('#pill-what', 'Katze füttern')
  await page.set('#pill-hours', '0')
  await page.click('#send')
  await page.tab.until(`document.getElementById('reply') !== null`)
  await page.click('#inspector button.main')
  await page.tab.until(`document.querySelector('.use .bubble') !== null`)
  await page.click('#tab-Interaction')
  await page.set('#composer', '/')
  await page.tab.until(
    `document.querySelectorAll('.entry').length === 2 && document.querySelector('pre') !== null`,
  )
}

/** The width that a PNG states in its header. */
const widthOf = (path: string): number => readFileSync(path).readUInt32BE(16)

// With PICTURES in the environment the pictures are made; without it, those that are there have to fit.
describePage('the pictures of docs/workbench.md', (page) => {
  it.each(Object.entries(pictures))('shows %s', async (name, [width, theme, open]) => {
    if (process.env['PICTURES'] !== undefined) {
      mkdirSync(folder, { recursive: true })
      await page.tab.resize(width, 900)
      await page.tab.prefer(theme)
      await open(page)
      await page.tab.screenshot(file(name))
    }
    expect(existsSync(file(name))).toBe(true)
    expect(widthOf(file(name))).toBe(width)
    expect(readFileSync(new URL('docs/workbench.md', root), 'utf8')).toContain(`images/${name}.png`)
  })
})
