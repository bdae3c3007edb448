/** How the page looks, in light and in dark. */
export const style = `
:root {
  --ground: #f6f6f4; --panel: #ffffff; --text: #1c1d21; --muted: #5d5f68; --line: #e2e2de;
  --accent: #3451c6; --soft: #eef1fd; --good: #1f7a48; --bad: #b3261e; --badsoft: #fbeceb; --warn: #8a5a00;
  --warnsoft: #fdf4e0; --field: #ffffff; --edge: #86878f;
  --shadow: 0 1px 2px rgb(20 20 30 / 5%), 0 6px 24px rgb(20 20 30 / 5%);
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #141518; --panel: #1c1e22; --text: #e9e9ec; --muted: #a2a4ae; --line: #2d3037;
    --accent: #9db1ff; --soft: #252b42; --good: #6fcf97; --bad: #ff9b93; --badsoft: #3a2324; --warn: #e9bd6a;
    --warnsoft: #352c1c; --field: #141518; --edge: #6d707b;
    --shadow: 0 1px 2px rgb(0 0 0 / 30%);
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--ground); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', 'Noto Sans', sans-serif;
}
h1, h2, h3, p, ul, ol, table, fieldset, legend { margin: 0; padding: 0; }
h1 { font-size: 17px; font-weight: 650; letter-spacing: -.01em; }
header { display: flex; gap: 14px; align-items: baseline; flex-wrap: wrap; padding: 18px 28px; border-bottom: 1px solid var(--line); }
header p { color: var(--muted); }
.layout { display: grid; grid-template-columns: 288px minmax(0, 1fr); max-width: 1240px; margin: 0 auto; }
form { padding: 24px 28px 60px; border-right: 1px solid var(--line); }
main { padding: 24px 32px 80px; min-height: 100vh; outline: none; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 12px; top: 12px; background: var(--panel); padding: 8px 14px; border-radius: 8px; z-index: 2; }
.quiet { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
[hidden] { display: none !important; }

form section + section { margin-top: 28px; }
form h2 { font-size: 12px; font-weight: 600; letter-spacing: .06em; text-transform: uppercase; color: var(--muted); }
form label, legend { display: block; font-size: 13px; font-weight: 550; margin: 12px 0 4px; }
fieldset { border: 0; min-width: 0; }
form fieldset:not(.segments) { margin-top: 16px; } form fieldset > legend { margin: 0 0 4px; }
input:not([type]), input[type=search], select {
  width: 100%; font: inherit; color: inherit; background: var(--field); border: 1px solid var(--edge);
  border-radius: 8px; padding: 7px 10px; min-height: 38px;
}
input:invalid { border-color: var(--bad); }
form label.check { display: flex; gap: 9px; align-items: flex-start; font-weight: 400; font-size: 14px; margin: 5px 0; }
label.check input { flex: none; width: 16px; height: 16px; margin: 3px 0 0; accent-color: var(--accent); }
label.check span { overflow-wrap: anywhere; }
label.check:has(:disabled) { color: var(--muted); }
.segments { display: grid; grid-template-columns: repeat(3, 1fr); margin-top: 10px; border: 1px solid var(--edge); border-radius: 8px; overflow: hidden; background: var(--field); }
.segments label { margin: 0; font-weight: 500; text-align: center; }
.segments input { position: absolute; opacity: 0; }
.segments span { display: block; padding: 7px 2px; border-radius: 6px; margin: 1px; }
.segments input:checked + span { background: var(--soft); color: var(--accent); font-weight: 600; }
.segments input:focus-visible + span { outline: 2px solid var(--accent); outline-offset: -2px; }
.row { display: flex; gap: 8px; margin-top: 6px; }
button { font: inherit; font-weight: 550; color: var(--accent); background: transparent; border: 1px solid var(--edge); border-radius: 8px; padding: 6px 12px; cursor: pointer; }
button:hover { background: var(--soft); }
summary { cursor: pointer; color: var(--accent); font-size: 13px; font-weight: 550; margin-top: 8px; border-radius: 4px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
a { color: var(--accent); text-underline-offset: 2px; }

.search { position: sticky; top: 0; z-index: 1; background: var(--ground); padding: 4px 0 12px; }
.search input { min-height: 46px; padding: 10px 14px; font-size: 16px; border-radius: 12px; padding-right: 130px; }
#count { position: absolute; right: 40px; top: 16px; color: var(--muted); font-size: 13px; pointer-events: none; }
h3.group { font-size: 12px; font-weight: 600; letter-spacing: .06em; text-transform: uppercase; color: var(--muted); margin: 20px 0 8px; }
.list { list-style: none; background: var(--panel); border: 1px solid var(--line); border-radius: 14px; box-shadow: var(--shadow); overflow: hidden; }
.list > li + li { border-top: 1px solid var(--line); }
.entry { display: grid; grid-template-columns: 34px minmax(0, 1fr) auto; gap: 2px 12px; padding: 11px 16px; color: inherit; text-decoration: none; align-items: center; }
.entry:hover { background: var(--soft); }
.entry:focus-visible { outline-offset: -3px; border-radius: 12px; }
.tile { grid-row: span 2; width: 34px; height: 34px; border-radius: 10px; background: var(--soft); color: var(--accent); display: grid; place-items: center; font-weight: 650; font-size: 16px; }
.title { display: flex; flex-wrap: wrap; gap: 4px 8px; align-items: baseline; }
.name { font-weight: 620; overflow-wrap: anywhere; }
.default { color: var(--muted); font-size: 13px; overflow-wrap: anywhere; }
.options { display: inline-flex; flex-wrap: wrap; gap: 4px; }
.option { font-size: 12.5px; line-height: 1.4; padding: 1px 7px; border: 1px dashed var(--edge); border-radius: 6px; color: var(--muted); overflow-wrap: anywhere; }
.option.required { border-style: solid; color: var(--text); }
.single .title { grid-row: span 2; }
.about { grid-column: 2; text-align: left; color: var(--muted); font-size: 14px; overflow-wrap: anywhere; }
.tag { font-size: 12px; color: var(--muted); white-space: nowrap; }
.empty { color: var(--muted); padding: 36px 20px; text-align: center; border: 1px dashed var(--edge); border-radius: 14px; }
.hidden-entry { padding: 12px 16px; }
.hidden-entry .name { color: var(--muted); }
.hidden-entry p { font-size: 14px; margin-top: 2px; overflow-wrap: anywhere; }
.trace { list-style: none; margin: 10px 0 4px; border-left: 2px solid var(--line); padding-left: 16px; font-size: 13.5px; }
.trace li { position: relative; padding: 3px 0; overflow-wrap: anywhere; }
.trace li::before { content: ''; position: absolute; left: -22px; top: 11px; width: 10px; height: 10px; border-radius: 50%; background: var(--panel); border: 2px solid var(--edge); }
.trace .denied::before { background: var(--bad); border-color: var(--bad); }
.trace .allowed::before { background: var(--good); border-color: var(--good); }
.trace b { font-weight: 600; }
.trace .otherwise { color: var(--muted); }
#failure { background: var(--badsoft); color: var(--bad); border-radius: 10px; padding: 10px 14px; margin-bottom: 14px; }

article { max-width: 100%; }
article h2 { font-size: 26px; line-height: 1.25; letter-spacing: -.015em; font-weight: 660; margin-top: 14px; overflow-wrap: anywhere; }
article h3 { font-size: 16px; font-weight: 620; margin: 34px 0 8px; }
article > p { color: var(--muted); overflow-wrap: anywhere; }
.seen { display: inline-block; margin-top: 12px; padding: 6px 12px; border-radius: 8px; font-size: 14px; background: var(--soft); color: var(--text); }
.seen.not { background: var(--badsoft); color: var(--bad); }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 6px 20px; margin-top: 18px; font-size: 14px; }
.facts dt { color: var(--muted); } .facts dd { margin: 0; overflow-wrap: anywhere; }
.meter { height: 8px; border-radius: 4px; background: var(--line); overflow: hidden; margin: 8px 0 6px; max-width: 460px; }
.meter svg { display: block; width: 100%; height: 100%; } .meter rect { fill: var(--accent); } .meter.full rect { fill: var(--bad); }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 12px; background: var(--panel); }
table { border-collapse: collapse; font-size: 14px; width: 100%; }
th, td { text-align: start; padding: 8px 14px; border-bottom: 1px solid var(--line); vertical-align: top; min-width: 90px; overflow-wrap: break-word; }
tbody tr:last-child > * { border-bottom: 0; }
thead th { font-size: 12.5px; font-weight: 600; color: var(--muted); white-space: nowrap; }
thead small { display: block; font-weight: 400; }
tbody th { font-weight: 450; color: var(--muted); font-size: 13px; min-width: 150px; }
td.hole { background: var(--warnsoft); color: var(--muted); }
td.hole small { display: block; color: var(--warn); }
.verdict { font-weight: 600; } .verdict.yes { color: var(--good); } .verdict.no { color: var(--bad); }
@media (max-width: 760px) {
  .layout { grid-template-columns: minmax(0, 1fr); }
  form { border-right: 0; border-bottom: 1px solid var(--line); padding: 20px; }
  main { padding: 20px; } header { padding: 16px 20px; }
}
@media (prefers-reduced-motion: no-preference) { .entry, button { transition: background-color .12s; } }
`
