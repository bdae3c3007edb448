/**
 * What the page does, as the text of its script. Everything that comes from the server is put in as text, never
 * as markup, and names stand in elements of their own direction: commands are named by anybody.
 */
export const script = String.raw`'use strict'
const by = (id) => document.getElementById(id)
const form = by('viewer')
const types = { 1: ['Slash commands', '/'], 2: ['On a user', '@'], 3: ['On a message', '\u2709'], 4: ['Launch', '\u25b6'] }
const steps = {
  administrator: 'Administrator', use_application_commands: 'Commands at all', channel: 'Channel',
  command: 'Entries of the command', application: 'Entries of the app', default_member_permissions: 'Default permissions',
}
const installs = Array.from(form.querySelectorAll('input[name=installed]'))
const usual = ['USE_APPLICATION_COMMANDS', 'ADMINISTRATOR']
let about = null
let roles = []
let leftOut = []
let commandId = null
let asked = 0
let drawn = null

function el(name, attributes, ...children) {
  const node = document.createElement(name)
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value !== false && value !== null && value !== undefined) node.setAttribute(key, value === true ? '' : value)
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined))
  return node
}
const text = (value, locale, name = 'bdi', kind) => el(name, { lang: locale, dir: 'auto', class: kind }, value)
const fill = (node, ...children) => node.replaceChildren(...children.flat().filter(Boolean))

// --- Asking -------------------------------------------------------------------------------------------------

async function get(path, query) {
  const response = await fetch('/ui/' + path + '?q=' + encodeURIComponent(JSON.stringify(query)))
  const body = await response.json()
  if (!response.ok) throw new Error(body.message)
  return body
}

const value = (name) => form.elements[name].value.trim()
const ticked = (name) => Array.from(form.querySelectorAll('input[name="' + name + '"]:checked'), (box) => box.value)

function viewer() {
  return {
    application: value('application'), place: value('place'), guild: value('guild'), channel: value('channel'),
    nsfw: form.elements.nsfw.checked, user: value('user'), roles: ticked('role'), permissions: ticked('permission'),
    locale: value('locale'), adult: form.elements.adult.checked, dms: form.elements.dms.checked,
    installed: installs.map(({ value }) => Number(value)).filter((way) => !leftOut.includes(way)),
  }
}

// --- Who is looking -----------------------------------------------------------------------------------------

function suggest(id, values) {
  fill(by(id), Array.from(new Set(values), (one) => el('option', { value: one })))
}

function box(name, id, label, checked) {
  return el('label', { class: 'check' }, el('input', { type: 'checkbox', name, value: id, checked }), el('span', {}, label))
}

const words = (name) => name.charAt(0) + name.slice(1).toLowerCase().replaceAll('_', ' ')

// Boxes that are there stay: the one that has the keyboard would lose it.
function drawBoxes(place, name, ids, label, checked) {
  const there = new Map(Array.from(form.querySelectorAll('input[name="' + name + '"]'), (one) => [one.value, one]))
  for (const id of ids) {
    if (there.has(id)) there.get(id).checked = checked.includes(id)
    else place.append(box(name, id, label(id), checked.includes(id)))
  }
}

function drawRoles(checked) {
  drawBoxes(by('roles'), 'role', roles, (id) => 'Role ' + id, checked)
}

function drawPermissions(checked) {
  const first = usual.filter((name) => about.permissions.includes(name))
  drawBoxes(by('usual'), 'permission', first, words, checked)
  drawBoxes(by('permissions'), 'permission', about.permissions.filter((name) => !first.includes(name)), words, checked)
}

// A way of installing that there is not here cannot be chosen, and is not: what is left out by hand stays so.
function drawInstalls(installable) {
  for (const one of installs) {
    const way = Number(one.value)
    one.disabled = !installable.includes(way)
    one.checked = !one.disabled && !leftOut.includes(way)
  }
}

function addRole(id) {
  if (!/^[0-9]{1,20}$/.test(id)) return
  const checked = ticked('role')
  if (!roles.includes(id)) roles.push(id)
  drawRoles([...checked, id])
}

function drawPlace() {
  for (const part of form.querySelectorAll('[data-in]')) part.hidden = part.dataset.in !== value('place')
}

function restore(saved) {
  for (const name of ['application', 'guild', 'channel', 'user', 'locale']) {
    if (typeof saved[name] === 'string') form.elements[name].value = saved[name]
  }
  for (const name of ['nsfw', 'adult', 'dms']) if (typeof saved[name] === 'boolean') form.elements[name].checked = saved[name]
  if (typeof saved.place === 'string') {
    const radio = form.querySelector('input[name=place][value="' + CSS.escape(saved.place) + '"]')
    if (radio !== null) radio.checked = true
  }
  if (Array.isArray(saved.installed)) {
    leftOut = installs.map((one) => Number(one.value)).filter((way) => !saved.installed.includes(way))
  }
  const list = (given) => (Array.isArray(given) ? given.filter((one) => typeof one === 'string') : [])
  roles = [...new Set([...roles, ...list(saved.roles)])].filter((id) => /^[0-9]{1,20}$/.test(id))
  drawRoles(list(saved.roles))
  drawPermissions(saved.permissions === undefined ? ['USE_APPLICATION_COMMANDS'] : list(saved.permissions))
  commandId = typeof saved.command === 'string' ? saved.command : null
}

function remembered() {
  try {
    const saved = JSON.parse(decodeURIComponent(location.hash.slice(1)))
    return typeof saved === 'object' && saved !== null ? saved : {}
  } catch {
    return {}
  }
}

const hashFor = (command) => '#' + encodeURIComponent(JSON.stringify({ ...viewer(), ...(command ? { command } : {}) }))

// --- The picker ---------------------------------------------------------------------------------------------

function title(entry, locale) {
  const slash = entry.type === 1 ? '/' : ''
  return [
    el('span', { class: 'name' }, slash, text(entry.name, locale)),
    entry.path === entry.name ? null : el('span', { class: 'default' }, text(slash + entry.path)),
  ]
}

function drawEntry(entry, locale) {
  const options = entry.options.map((option) =>
    text(option.name, locale, 'span', option.required ? 'option required' : 'option'))
  return el('li', {}, el('a', { class: entry.description === '' ? 'entry single' : 'entry', href: hashFor(entry.id), 'data-id': entry.id },
    el('span', { class: 'tile', 'aria-hidden': 'true' }, types[entry.type][1]),
    el('span', { class: 'title' }, title(entry, locale), options.length ? el('span', { class: 'options' }, options) : null),
    entry.guild ? el('span', { class: 'tag' }, 'this guild only') : el('span'),
    entry.description === '' ? null : text(entry.description, locale, 'span', 'about')))
}

function drawTrace(trace) {
  return el('ol', { class: 'trace' }, trace.map(({ step, outcome, text: words, otherwise }) =>
    el('li', { class: outcome }, el('b', {}, steps[step] ?? step), ' \u2013 ', words,
      otherwise === null ? null : el('div', { class: 'otherwise' }, 'Otherwise: ' + otherwise))))
}

function drawHidden(entry, locale) {
  return el('li', { class: 'hidden-entry', 'data-id': entry.id },
    el('a', { class: 'title', href: hashFor(entry.id) }, title(entry, locale)),
    entry.why.map((sentence) => el('p', {}, sentence)),
    entry.trace === null ? null : el('details', {}, el('summary', {}, 'Permissions, step by step'), drawTrace(entry.trace)))
}

function drawPicker(answer) {
  const { entries, hidden, locale, searching } = answer
  by('count').textContent = entries.length === 1 ? '1 command' : entries.length + ' commands'
  const groups = Object.keys(types).flatMap((type) => {
    const own = entries.filter((entry) => entry.type === Number(type))
    if (own.length === 0) return []
    return [el('h3', { class: 'group' }, types[type][0]), el('ul', { class: 'list' }, own.map((entry) => drawEntry(entry, locale)))]
  })
  const nothing = searching ? 'Nothing is called that.' : hidden.length > 0 ? 'Nothing is shown here.' : 'This app has no commands yet.'
  fill(by('shown'), groups.length > 0 ? groups : el('p', { class: 'empty' }, nothing))
  fill(by('hidden'), hidden.length === 0 ? [] : [
    el('h3', { class: 'group' }, 'Hidden from this person (' + hidden.length + ')'),
    el('ul', { class: 'list' }, hidden.map((entry) => drawHidden(entry, locale))),
  ])
}

// --- One command --------------------------------------------------------------------------------------------

function drawMeter(size, most) {
  const ns = 'http://www.w3.org/2000/svg'
  const svg = document.createElementNS(ns, 'svg')
  svg.setAttribute('viewBox', '0 0 100 1')
  svg.setAttribute('preserveAspectRatio', 'none')
  const bar = document.createElementNS(ns, 'rect')
  bar.setAttribute('width', String(Math.min(100, Math.max(0.7, (100 * size) / most))))
  bar.setAttribute('height', '1')
  svg.append(bar)
  return el('div', { class: size > most ? 'meter full' : 'meter', role: 'img', 'aria-label': size + ' of ' + most + ' characters' }, svg)
}

function drawTexts({ locales, texts, more }) {
  if (locales.length === 0) return el('p', {}, 'No localizations: everybody sees the defaults.')
  const names = Object.fromEntries(about.locales)
  const head = locales.map(({ locale, translated, texts: all }) =>
    el('th', { scope: 'col' }, names[locale] ?? locale, el('small', {}, locale + ' \u00b7 ' + translated + '/' + all)))
  const rows = texts.map(({ label, text: own, cells }) => el('tr', {}, el('th', { scope: 'row' }, text(label)), el('td', {}, text(own)),
    cells.map(({ text: shown, from }, i) => from === locales[i].locale ? el('td', {}, text(shown, from))
      : el('td', { class: 'hole' }, text(shown, from), el('small', {}, 'missing; shows ' + (from ?? 'the default'))))))
  return [
    el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Localizations' }, el('table', {},
      el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'Text'), el('th', { scope: 'col' }, 'Default'), head)),
      el('tbody', {}, rows))),
    more > 0 ? el('p', {}, 'and ' + more + ' more texts') : null,
  ]
}

function drawPermissionsOf(sets) {
  const rows = sets.flatMap(({ of, entries }) => entries.map(({ target, id, permission }) => el('tr', {},
    el('td', {}, target), el('td', {}, id), el('td', {}, el('span', { class: permission ? 'verdict yes' : 'verdict no' }, permission ? 'yes' : 'no')),
    el('td', {}, of))))
  if (rows.length === 0) return el('p', {}, 'No entries in this guild.')
  const head = ['Whom or where', 'Id', 'May', 'Set for'].map((name) => el('th', { scope: 'col' }, name))
  return el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Permissions' }, el('table', {}, el('thead', {}, el('tr', {}, head)), el('tbody', {}, rows)))
}

function drawCommand(answer) {
  const facts = answer.facts.flatMap(([name, words]) => [el('dt', {}, name), el('dd', {}, words)])
  const back = el('a', { href: hashFor(null), id: 'back' }, '\u2190 All commands')
  fill(by('command'), back,
    el('h2', { tabindex: '-1' }, answer.type === 1 ? '/' : '', text(answer.name)),
    answer.description === '' ? null : text(answer.description, null, 'p'),
    el('p', { class: answer.why.length > 0 ? 'seen not' : 'seen' }, answer.why.length > 0 ? 'Hidden from this person. ' + answer.why.join(' ') : 'This person sees it here.'),
    el('dl', { class: 'facts' }, facts),
    el('h3', {}, 'Size'),
    answer.type === 1 ? [drawMeter(answer.size, answer.most), el('p', {}, answer.size.toLocaleString('en') + ' of ' + answer.most.toLocaleString('en') + ' characters, the longest language of each text')]
      : el('p', {}, 'Only slash commands are measured.'),
    el('h3', {}, 'Localizations'), drawTexts(answer),
    answer.permissions === null ? null : [el('h3', {}, 'Permissions'), drawPermissionsOf(answer.permissions)])
}

// --- Together -----------------------------------------------------------------------------------------------

function fail(error) {
  by('failure').textContent = error.message
  by('failure').hidden = false
}

async function update() {
  const turn = ++asked
  const who = viewer()
  drawPlace()
  history.replaceState(null, '', hashFor(commandId))
  const isOne = commandId !== null
  const apps = about.applications.find(({ id }) => id === who.application)
  suggest('guilds', apps?.guilds ?? [])
  try {
    if (!/^[0-9]{1,20}$/.test(who.application)) throw new Error('Choose an application: its id is a string of digits.')
    const known = await get('mentions', who)
    const answer = isOne ? await get('command', { ...who, command: commandId }) : await get('picker', { ...who, search: by('search').value })
    if (turn !== asked) return
    suggest('channels', known.channels)
    suggest('users', known.users)
    const added = known.roles.filter((id) => !roles.includes(id))
    if (added.length > 0) {
      const checked = ticked('role')
      roles.push(...added)
      drawRoles(checked)
    }
    drawInstalls(answer.installable)
    by('failure').hidden = true
    by('picker').hidden = isOne
    by('command').hidden = !isOne
    // What has not changed stays, and with it the keyboard's place and what is unfolded.
    const looks = JSON.stringify([who, commandId, answer])
    if (looks !== drawn) isOne ? drawCommand(answer) : drawPicker(answer)
    drawn = looks
    document.documentElement.dataset.ready = String(turn)
  } catch (error) {
    if (turn !== asked) return
    drawn = null
    fail(error)
    by('picker').hidden = isOne
    by('command').hidden = !isOne
    fill(by('shown'))
    fill(by('hidden'))
    fill(by('command'), isOne ? el('a', { href: hashFor(null) }, '\u2190 All commands') : null)
    by('count').textContent = ''
  }
}

async function start() {
  about = await get('about', {})
  fill(by('locale'), about.locales.map(([id, native, english]) => el('option', { value: id }, native === english ? native : native + ' \u2013 ' + english)))
  by('locale').value = 'en-US'
  suggest('applications', about.applications.map(({ id }) => id))
  const first = about.applications[0]
  if (first !== undefined) {
    form.elements.application.value = first.id
    form.elements.guild.value = first.guilds[0] ?? ''
  }
  if (form.elements.guild.value === '') form.elements.guild.value = '1'
  form.elements.channel.value = '10'
  form.elements.user.value = '100'
  restore(remembered())
  await update()
}

form.addEventListener('submit', (event) => event.preventDefault())
form.addEventListener('input', (event) => {
  if (event.target.name === 'installed') {
    const way = Number(event.target.value)
    leftOut = event.target.checked ? leftOut.filter((one) => one !== way) : [...leftOut, way]
  }
  if (event.target.id !== 'new-role') update()
})
by('search').addEventListener('input', update)
by('add-role').addEventListener('click', () => {
  addRole(by('new-role').value.trim())
  by('new-role').value = ''
  update()
})
by('new-role').addEventListener('keydown', (event) => {
  if (event.key !== 'Enter') return
  event.preventDefault()
  by('add-role').click()
})
document.addEventListener('click', (event) => {
  const link = event.target.closest('a[href^="#%7B"]')
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  history.pushState(null, '', link.getAttribute('href'))
  commandId = remembered().command ?? null
  update().then(() => (commandId === null ? by('search') : by('command').querySelector('h2'))?.focus())
})
window.addEventListener('popstate', () => {
  if (about === null) return
  restore({ permissions: ticked('permission'), roles: ticked('role'), ...remembered() })
  update()
})
window.addEventListener('focus', () => about !== null && update())
document.addEventListener('keydown', (event) => {
  const typing = event.target.matches('input:not([type=checkbox]):not([type=radio]), select')
  if (event.key === '/' && !typing && !by('picker').hidden) {
    event.preventDefault()
    by('search').focus()
  }
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const places = [by('search'), ...document.querySelectorAll('#shown .entry')]
  const at = places.indexOf(document.activeElement)
  if (at < 0 || by('picker').hidden) return
  event.preventDefault()
  places[Math.max(0, Math.min(places.length - 1, at + (event.key === 'ArrowDown' ? 1 : -1)))].focus()
})
start().catch(fail)
`
