import { describe, expect } from 'vitest'
import { describePage, it, post } from '../../open.ts'
import { gate } from '../../../../service/http/sockets.ts'
import { app } from '../../../../support/fixtures.ts'

const commands = [
  {
    name: 'ban',
    description: 'Ban a member',
    name_localizations: { de: 'bannen' },
    description_localizations: { de: 'Mitglied bannen', 'es-ES': 'Vetar a un miembro' },
    options: [
      { type: 4, name: 'days', description: 'Days', required: true, choices: [{ name: 'One', value: 1 }] },
    ],
  },
]

describe('the questions of Translations', () => {
  it('[2.10-03] [2.10-05] marks translations, fallbacks and defaults', async ({ made }) => {
    await made.deploy(commands)
    const query = { app, left: 'de', locales: ['es-419', 'de'] }
    const { coverage, commands: list } = await post(made, 'translations', query)
    expect(coverage[0]).toEqual({ locale: 'de', percent: 40, missing: 3 })
    expect(coverage).toHaveLength(34)
    const of = ({ label, most, left, cells }: any) => [
      label,
      most,
      left.from,
      ...cells.map(({ from }: any) => from),
    ]
    expect(list[0].rows.map(of)).toEqual([
      ['name', 32, 'de', null, 'de'],
      ['description', 100, 'de', 'es-ES', 'de'],
      ['days, name', 32, null, null, null],
      ['days, description', 100, null, null, null],
      ['days, choice 1', 100, null, null, null],
    ])
  })

  it('checks the texts that are being typed, each at its place', async ({ made }) => {
    await made.deploy(commands)
    const texts = [
      ['ja', '/ban', 'name', 'Ban'],
      ['ja', '/ban', 'days, choice 1', 'x'.repeat(101)],
      ['ja', '/ban', 'description', '追放'],
      ['__proto__', '/ban', 'name', 'x'],
    ]
    const { commands: list, coverage } = await post(made, 'translations', { app, locales: ['ja'], texts })
    const problems = list[0].rows.map(({ label, cells: [cell] }: any) => [label, cell.own, cell.problem])
    expect(problems).toEqual([
      ['name', null, expect.stringMatching(/upper case/)],
      ['description', null, ''],
      ['days, name', null, ''],
      ['days, description', null, ''],
      ['days, choice 1', null, expect.stringMatching(/at most 100/)],
    ])
    expect(coverage.find(({ locale }: any) => locale === 'ja')).toMatchObject({ missing: 2 })
  })

  it('names the other command of the type that has the same name in a language', async ({ made }) => {
    const names = [
      { name: 'ban', description: 'x' },
      { name: 'block', description: 'x', name_localizations: { de: 'ban' } },
      { name: 'ban', type: 2 },
    ]
    await made.deploy(names)
    const { commands: all } = await post(made, 'translations', { app, locales: ['de', 'fr'] })
    const doubled = all.map(({ rows }: any) => rows[0].cells.map(({ sameNameAs }: any) => sameNameAs))
    expect(doubled).toEqual([
      ['/block', ''],
      ['/ban', ''],
      ['', ''],
    ])
  })

  it('puts texts of several languages into the text of the Editor, whose form it keeps', async ({ made }) => {
    const text = JSON.stringify({ $schema: 'x.json', commands })
    const texts = [
      ['de', '/ban', 'name', ''],
      ['ja', '/ban', 'days, choice 1', '一'],
      ['th', '/ban', 'days, name', 'วัน'],
    ]
    const { $schema, commands: all } = JSON.parse(await post(made, 'translate', { app, text, texts }))
    const [option] = all[0].options
    expect($schema).toBe('x.json')
    expect(all[0]).not.toHaveProperty('name_localizations')
    expect(option.name_localizations).toEqual({ th: 'วัน' })
    expect(option.choices[0].name_localizations).toEqual({ ja: '一' })
  })

  it.for([
    ['commands by name', { '/ban': { name: 'bann', 'days, name': '' } }, [['th', '/ban', 'name', 'bann']]],
    ['languages', { ja: { '/ban': { name: 'バン' } } }, [['ja', '/ban', 'name', 'バン']]],
    [
      'definitions',
      [{ ...commands[0], name_localizations: { ja: 'バン' } }],
      [['ja', '/ban', 'name', 'バン']],
    ],
    ['texts as before', { de: { '/ban': { name: 'bannen' } } }, []],
  ] as const)('reads %s', async ([, given, texts], { made }) => {
    await made.deploy(commands)
    expect(await post(made, 'texts', { app, locale: 'th', given })).toEqual({ texts, unused: [] })
  })

  it('names the texts that no command has, and those of a language that there is not', async ({ made }) => {
    await made.deploy(commands)
    const given = { '/bann': { description: 'x' }, '/ban': { descripton: 'y', name: 'z' } }
    expect(await post(made, 'texts', { app, locale: 'de', given })).toEqual({
      texts: [['de', '/ban', 'name', 'z']],
      unused: ['/bann, description', '/ban, descripton'],
    })
    const spanish = { es: { '/ban': { name: 'x' } }, 'es-ES': { '/ban': { name: 'y' } } }
    expect(await post(made, 'texts', { app, locale: 'de', given: spanish })).toEqual({
      texts: [['es-ES', '/ban', 'name', 'y']],
      unused: ['es, /ban, name'],
    })
  })
})

describePage('the Translations view', (page) => {
  const load = async (query: string) => {
    await page.open(commands, `?view=translations${query}`)
    await page.has('.row button')
  }
  const deploy = async () => {
    await page.button('Deploy…')
    await page.shows('.plan b:last-of-type', '/ban')
    await page.act(`document.querySelector('.foot button.main')`, 'click')
  }
  /** Nothing is left to deploy. */
  const hasNoBar = async () => {
    await page.click('nav a[href*="translations"]')
    await page.has('.row button')
    await page.counts('.foot', 0)
  }
  const field = (label: string, language: string) => `[aria-label="/ban, ${label}, ${language}"]`
  const value = (selector: string) => `document.querySelector(${JSON.stringify(selector)}).value`
  const add = (language: string) => page.set('.toolbar label.choice:nth-of-type(3) select', language)
  const source = `document.getElementById('source').value`

  it('shows missing texts of a language with the texts that readers see instead', async () => {
    await load('&lang=es-419')
    await page.starts('.toolbar .check', 'only missing (5)')
    await page.starts('td.fallback .hint', /missing: readers see Español +Vetar a un miembro/)
    await page.becomes(`document.querySelector('.fallback bdi').lang`, 'es-ES')
    await page.button('de 40%')
    await page.counts('td.hole', 3)
  })

  it('lets a translator type what is missing by keyboard, deploy it and see it in place', async () => {
    await page.open(commands, '?lang=de')
    await page.shows('.entry .name', '/bannen')
    await page.shows('.entry .option', 'days')
    await page.click('nav a[href*="translations"]')
    await page.starts('nav a[href*="translations"] .badge', /^3/)
    await page.focus(field('days, name', 'Deutsch'))
    await page.keys("'tage'", 'Enter', "'Wie lange'", 'Enter', "'Eins'")
    await page.becomes(value(field('days, choice 1', 'Deutsch')), 'Eins')
    await page.shows('.readers .option', 'tage')
    await page.starts('.foot output', '3 texts in 1 language, not sent back')
    await deploy()
    await page.shows('.entry .option', 'tage')
    await page.becomes('location.search', /lang=de/)
    await page.click('#entry-0')
    await page.starts('.pill label', 'tage')
    await page.focus('#pill-days')
    await page.shows('#choices li', 'Eins')
    await page.click('nav a[href*="translations"]')
    await page.starts('.empty', /^\s*Everything is translated into Deutsch/)
    await page.counts('nav .badge', 0)
    await page.counts('.foot', 0)
  })

  it('shows what is translated on a phone too, where the default texts have no column', async () => {
    await page.resize(390, 844)
    await load('&lang=de')
    await page.has(field('days, description', 'Deutsch'))
    const isShown = (text: string) =>
      `[...document.querySelectorAll('.texts tbody *')].some((one) => one.checkVisibility() && one.innerText === '${text}')`
    await page.becomes(isShown('Days'), true)
  })

  it('fits texts and tools on a phone: rows of a few lines, and the first field in the upper half', async () => {
    await page.resize(375, 720)
    await load('&lang=de')
    const heights = `[...document.querySelectorAll('.texts tbody tr:has(textarea)')].map((row) => row.getBoundingClientRect().height)`
    await page.becomes(`Math.max(...${heights}) < 120`, true)
    await page.becomes(`document.querySelector('.texts textarea').getBoundingClientRect().top < 360`, true)
    await page.becomes(`document.querySelector('.toolbar').checkVisibility()`, false)
    await page.click('#main details summary')
    await page.becomes(`document.querySelector('.toolbar').checkVisibility()`, true)
    await page.becomes('document.documentElement.scrollWidth <= innerWidth', true)
  })

  it('keeps the columns while texts of another language become more, until they are closed', async () => {
    await load('')
    const heads = ['Text', 'Default texts', /^Deutsch/, /^Français/, /^Español/]
    await add('fr')
    await add('es-ES')
    await page.shows('thead th', ...heads)
    for (const label of ['name', 'description', 'days, name', 'days, description', 'days, choice 1'])
      await page.set(field(label, 'Français'), 'un')
    await page.starts('.foot output', /^5 texts in 1 language/)
    await page.button('fr 100%')
    await page.shows('thead th', 'Text', 'Default texts', /^Français/, /^Español/)
    await page.button('Discard')
    await page.shows('thead th', 'Text', 'Default texts', /^Français/, /^Español/)
    await page.click('[aria-label="Close Español"]')
    await page.shows('thead th', 'Text', 'Default texts', /^Français/)
  })

  it('comes back from a plan that refuses a text, and shows the row of that text', async () => {
    await load('&lang=de')
    await page.set(field('days, name', 'Deutsch'), 'Zwei Worte')
    await page.button('Deploy…')
    await page.starts('.problems li', /name in de: has /)
    await page.tab.goBack()
    await page.becomes(`new URLSearchParams(location.search).get('view')`, 'translations')
    await page.becomes(value(field('days, name', 'Deutsch')), 'Zwei Worte')
    await page.has(`${field('days, name', 'Deutsch')}[aria-invalid]`)
    await page.tab.goForward()
    await page.button('Back to Translations')
    await page.becomes(value(field('days, name', 'Deutsch')), 'Zwei Worte')
  })

  it('keeps the texts and their bar until they are deployed, whichever way leads back from the plan', async () => {
    await load('&lang=de')
    await add('fr')
    await page.set(field('days, name', 'Deutsch'), 'tage')
    await page.set(field('days, name', 'Français'), 'jours')
    const keeps = async () => {
      await page.becomes(value(field('days, name', 'Deutsch')), 'tage')
      await page.becomes(value(field('days, name', 'Français')), 'jours')
      await page.starts('.foot output', '2 texts in 2 languages, not sent back')
    }
    await page.button('Deploy…')
    await page.shows('.plan b:last-of-type', '/ban')
    await page.tab.goBack()
    await keeps()
    await page.tab.reload()
    await keeps()
    await page.click('nav a[href*="plan"]')
    await page.shows('.plan b:last-of-type', '/ban')
    await page.tab.reload()
    await page.button('Back to Translations')
    await keeps()
    await page.tab.reload()
    await keeps()
    await deploy()
    await page.has('.entry')
    await hasNoBar()
  })

  it('keeps the bar while the Editor has the texts, and deploys them from there', async () => {
    await load('&lang=de')
    await page.set(field('days, name', 'Deutsch'), 'tage')
    await page.button('Open in the Editor')
    await page.becomes(source, /"de": "tage"/)
    await page.click('nav a[href*="translations"]')
    await page.starts('.foot output', 'The Editor has texts that are not deployed')
    await page.tab.reload()
    await deploy()
    await page.shows('.entry .name', '/bannen')
    await hasNoBar()
  })

  it('offers deployed texts again when a bot overwrites them, and forgets them on request', async () => {
    await load('&lang=de')
    await page.set(field('days, name', 'Deutsch'), 'tage')
    await deploy()
    await page.shows('.entry .name', '/bannen')
    await page.counts('.notice', 0)
    await page.request('PUT', `/applications/${app}/commands`, commands)
    await page.starts('.notice span', 'The bot or another deploy has overwritten 1 text of yours.')
    await page.button('Bring them back')
    await page.becomes(value(field('days, name', 'Deutsch')), 'tage')
    await page.counts('.notice', 0)
    await page.button('Discard')
    await page.button('Forget them')
    await page.counts('.notice', 0)
  })

  it('shows the limit and the broken rule at a field while one types', async () => {
    await load('&lang=ja')
    await page.focus(field('name', '日本語'))
    await page.keys("'Ban'")
    await page.starts('.typed .hint', /^\s*3\/32 has upper case; write "ban"/)
    await page.has(`${field('name', '日本語')}[aria-invalid]`)
    await page.keys('Backspace', 'Backspace', 'Backspace', "'バン'")
    await page.starts('.typed .hint', /^\s*2\/32 ✓/)
    await page.counts('[aria-invalid]', 0)
  })

  it('marks a name that another command has in the language, which Discord allows', async () => {
    await page.open([...commands, { name: 'block', description: 'x' }], '?view=translations&lang=de')
    await page.set('[aria-label="/block, name, Deutsch"]', 'bannen')
    await page.starts('.typed .hint', /^\s*6\/32 ! also the name of \/ban in Deutsch/)
  })

  it('goes with Enter to the next missing text, with Tab across languages, and gives back with Escape', async () => {
    await load('&lang=de')
    await add('ja')
    const at = (label: string, language: string) =>
      page.becomes('document.activeElement.ariaLabel', `/ban, ${label}, ${language}`)
    await page.has(field('days, name', '日本語'))
    await page.focus(field('days, name', 'Deutsch'))
    await page.keys('Tab')
    await at('days, name', '日本語')
    await page.keys('Shift+Tab', "'tage'", 'Enter')
    await at('days, description', 'Deutsch')
    await page.keys('Enter')
    await at('days, choice 1', 'Deutsch')
    // After the last one of a language comes the next language.
    await page.keys('Enter')
    await at('name', '日本語')
    await page.focus(field('days, name', 'Deutsch'))
    await page.keys('End', "' und'")
    await page.becomes(value(field('days, name', 'Deutsch')), 'tage und')
    await page.keys('Escape')
    await page.becomes(value(field('days, name', 'Deutsch')), 'tage')
  })

  it('keeps the texts of each language over a reload, and sends all of them back at once', async () => {
    await load('&lang=de')
    await add('th')
    await page.has(field('days, name', 'ไทย'))
    await page.focus(field('days, name', 'Deutsch'))
    await page.keys("'tage'", 'Tab', "'วัน'")
    await page.button('34 languages')
    await page.button('ja 0%')
    await page.focus(field('days, name', '日本語'))
    await page.keys("'日数'")
    await load('&lang=de')
    await page.becomes(value(field('days, name', 'Deutsch')), 'tage')
    await page.starts('.foot output', '3 texts in 3 languages, not sent back')
    // Languages with texts that are not sent back are in sight.
    await page.becomes(value(field('days, name', '日本語')), '日数')
    const slow = gate()
    await page.tab.route('**/ui/translate', (route) => slow.passed.then(() => route.continue()))
    await page.button('Open in the Editor')
    await page.focusButton('Open in the Editor')
    await page.keys('Enter')
    slow.open()
    await page.becomes(source, /"de": "tage"[^]*"th": "วัน"|"th": "วัน"[^]*"de": "tage"/)
    await page.becomes(source, /"ja": "日数"/)
    // One step of undo: the text before is there again.
    await page.focus('#source')
    await page.keys('Control+z')
    await page.becomes(`${source}.includes('tage')`, false)
    await page.keys('Control+Shift+z')
    await page.becomes(source, /"de": "tage"/)
    expect(page.requests.filter((url) => url.endsWith('/ui/translate'))).toHaveLength(1)
  })

  it('goes on from what the Editor has, in the next language too', async () => {
    await load('&lang=de')
    await page.set(field('days, name', 'Deutsch'), 'tage')
    await page.button('Open in the Editor')
    await page.becomes(source, /"de": "tage"/)
    await page.click('nav a[href*="translations"]')
    await page.button('de 60%')
    await page.set('.toolbar label.choice:nth-of-type(2) select', 'ja')
    await page.set(field('days, name', '日本語'), '日数')
    await page.button('Open in the Editor')
    await page.becomes(source, /"ja": "日数"/)
    await page.becomes(source, /"de": "tage"/)
  })

  it('keeps the texts when they cannot be sent, and says what to do first', async () => {
    await load('&lang=de')
    await page.set(field('days, name', 'Deutsch'), 'tage')
    await page.starts('.foot output', /^1 text /)
    await page.load('?view=editor&source=Deployed')
    await page.becomes(source, /"ban"/)
    await page.set('#source', '{')
    await page.load('?view=translations&lang=de')
    await page.starts('main .failure p', /correct them in the Editor, or revert them there/)
    await page.load('?view=editor&source=Deployed')
    await page.button('Revert')
    await page.becomes(source, /"ban"/)
    await page.load('?view=translations&lang=de')
    await page.becomes(value(field('days, name', 'Deutsch')), 'tage')
    page.complains(/400/)
  })

  it('discards all texts and brings them back', async () => {
    await load('&lang=de')
    await page.set(field('days, name', 'Deutsch'), 'tage')
    await page.button('Discard')
    await page.becomes(value(field('days, name', 'Deutsch')), '')
    await page.button('Bring the discarded texts back')
    await page.becomes(value(field('days, name', 'Deutsch')), 'tage')
  })

  it('fills cells from pasted JSON, by keyboard, and names what was not used', async () => {
    await load('&lang=de')
    await page.focusButton('Paste translations')
    await page.keys('Enter')
    await page.has('#translations')
    const holes = { '/ban': { 'days, name': '', 'days, description': '', 'days, choice 1': '' } }
    await page.becomes(`document.getElementById('translations').value`, JSON.stringify(holes, null, 2))
    const given = { '/bann': { description: 'x' }, '/ban': { descripton: 'y', 'days, name': 'tage' } }
    await page.set('#translations', JSON.stringify(given))
    await page.button('Fill in the texts')
    await page.starts(
      '.notice',
      /^2 texts were not used, no command or language has them: \/bann, description; \/ban, descripton/,
    )
    await page.counts('#translations', 0)
    await page.becomes(value(field('days, name', 'Deutsch')), 'tage')
  })

  it('keeps pasted JSON with its language, over a reload too', async () => {
    await load('&lang=de')
    await page.button('Paste translations')
    await page.set('#translations', '{"/ban":{"days, name":"tage"}}')
    await page.set('.toolbar label.choice:nth-of-type(2) select', 'th')
    await page.has(field('name', 'ไทย'))
    await page.counts('#translations', 0)
    await load('&lang=de')
    await page.has('#translations')
    await page.button('Fill in the texts')
    await page.becomes(value(field('days, name', 'Deutsch')), 'tage')
    await page.starts('.foot output', /^1 text in 1 language/)
  })

  it('names the problem of pasted text that is not JSON, and keeps it', async () => {
    await load('&lang=de')
    await page.button('Paste translations')
    await page.set('#translations', '{')
    await page.button('Fill in the texts')
    await page.starts('.notice', /cannot be used/)
    await page.becomes(`document.getElementById('translations').value`, '{')
  })

  it('fills cells from a dropped file, in the language that it is named after', async () => {
    await load('&lang=de')
    await page.has(field('days, name', 'Deutsch'))
    await page.drop('main .content', 'ja.json', '{"/ban":{"name":"バン"}}')
    await page.starts('.foot output', /^1 text in 1 language/)
    await page.set('.toolbar label.choice:nth-of-type(2) select', 'ja')
    await page.becomes(value(field('name', '日本語')), 'バン')
  })

  it.for([
    ['ar', 'العربية', 'حظر'],
    ['th', 'ไทย', 'แบนผู้ใช้ที่ไม่พึงประสงค์'],
  ] as const)('shows whole letters of %s in its own direction', async ([lang, language, word]) => {
    await load(`&lang=${lang}`)
    const name = field('name', language)
    await page.set(name, word)
    const element = `document.querySelector(${JSON.stringify(name)})`
    await page.becomes(`${element}.matches(':dir(${lang === 'ar' ? 'rtl' : 'ltr'})')`, true)
    await page.becomes(`${element}.lang`, lang)
    // Nothing of the text is outside the field.
    await page.becomes(`${element}.scrollHeight <= ${element}.clientHeight`, true)
  })
})
