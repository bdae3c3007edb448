/** The page of `commandry serve`: one document that brings all it needs and loads nothing from elsewhere. */
import { createHash } from 'node:crypto'
import { script } from './page-script.ts'
import { style } from './page-style.ts'

const markup = `
<a class="skip" href="#main">Skip to the commands</a>
<header>
  <h1>commandry</h1>
  <p>What one person sees, where, in which language, and why.</p>
</header>
<div class="layout">
  <form id="viewer" aria-label="Who is looking" autocomplete="off">
    <section>
      <h2>App</h2>
      <label for="application">Application</label>
      <input id="application" name="application" list="applications" inputmode="numeric" pattern="[0-9]{1,20}" required>
      <datalist id="applications"></datalist>
    </section>
    <section>
      <h2>Place</h2>
      <fieldset class="segments">
        <legend class="quiet">Kind of place</legend>
        <label><input type="radio" name="place" value="guild" checked><span>Guild</span></label>
        <label><input type="radio" name="place" value="bot"><span>Bot DM</span></label>
        <label><input type="radio" name="place" value="group"><span>Group DM</span></label>
      </fieldset>
      <div data-in="guild">
        <label for="guild">Guild</label>
        <input id="guild" name="guild" list="guilds" inputmode="numeric" pattern="[0-9]{1,20}">
        <datalist id="guilds"></datalist>
        <label for="channel">Channel</label>
        <input id="channel" name="channel" list="channels" inputmode="numeric" pattern="[0-9]{1,20}">
        <datalist id="channels"></datalist>
        <label class="check"><input type="checkbox" name="nsfw"><span>Age-restricted channel</span></label>
      </div>
      <fieldset>
        <legend>App installed</legend>
        <label class="check"><input type="checkbox" name="installed" value="0" checked><span>In the guild</span></label>
        <label class="check"><input type="checkbox" name="installed" value="1" checked><span>By the user</span></label>
      </fieldset>
    </section>
    <section>
      <h2>Person</h2>
      <label for="locale">Language</label>
      <select id="locale" name="locale"></select>
      <label for="user">User</label>
      <input id="user" name="user" list="users" inputmode="numeric" pattern="[0-9]{1,20}">
      <datalist id="users"></datalist>
      <div data-in="guild">
        <fieldset>
          <legend>Roles</legend>
          <div id="roles"></div>
          <div class="row">
            <label class="quiet" for="new-role">Id of another role</label>
            <input id="new-role" inputmode="numeric" pattern="[0-9]{1,20}" placeholder="Role id">
            <button type="button" id="add-role">Add</button>
          </div>
        </fieldset>
        <fieldset>
          <legend>May do</legend>
          <div id="usual"></div>
          <details>
            <summary>All permissions</summary>
            <div id="permissions"></div>
          </details>
        </fieldset>
      </div>
      <fieldset>
        <legend>Age</legend>
        <label class="check"><input type="checkbox" name="adult" checked><span>Adult</span></label>
        <label class="check"><input type="checkbox" name="dms"><span>Age-restricted commands in DMs</span></label>
      </fieldset>
    </section>
  </form>
  <main id="main" tabindex="-1">
    <p id="failure" role="alert" hidden></p>
    <div id="picker">
      <div class="search">
        <label class="quiet" for="search">Search the commands</label>
        <input id="search" type="search" placeholder="Search, or type /" spellcheck="false">
        <output id="count" for="search" aria-live="polite"></output>
      </div>
      <div id="shown"></div>
      <div id="hidden"></div>
    </div>
    <article id="command" hidden></article>
  </main>
</div>`

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/** The whole page, as HTML. It holds no data: what it shows, it asks for. */
export const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>commandry</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>${markup}
<script>${script}</script>
</body>
</html>
`

/** What the page may do: run its own script, use its own style, and ask this server. */
export const pagePolicy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
