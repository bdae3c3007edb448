/** How the page looks, in light and in dark. A rule is a line: the file is a table. */
export const style = `
:root { --start: left; color-scheme: light dark; --ground: #f6f6f4; --panel: #fff; --text: #1c1d21; --muted: #5d5f68; --line: #e2e2de; --accent: #3451c6; --soft: #eef1fd; --good: #1f7a48; --bad: #b3261e; --badsoft: #fbeceb; --warn: #8a5a00; --warnsoft: #fdf4e0; --edge: #86878f; --mono: ui-monospace, 'SF Mono', Menlo, Consolas, 'Noto Sans Mono', monospace; }
@media (prefers-color-scheme: dark) { :root { --ground: #141518; --panel: #1c1e22; --text: #e9e9ec; --muted: #a2a4ae; --line: #2d3037; --accent: #9db1ff; --soft: #252b42; --good: #6fcf97; --bad: #ff9b93; --badsoft: #3a2324; --warn: #e9bd6a; --warnsoft: #352c1c; --edge: #6d707b; } }

* { box-sizing: border-box; }
html, body { height: 100%; }
body { margin: 0; display: flex; flex-direction: column; height: 100dvh; background: var(--ground); color: var(--text); font: 14px/1.5 system-ui, -apple-system, 'Segoe UI', 'Noto Sans', sans-serif; }
h1, h2, h3, p, ul, ol, dl, fieldset, legend, pre { margin: 0; padding: 0; }
body { text-align: var(--start); } [dir=rtl] { --start: right; } [dir=rtl] :not(pre, .code, .definition, :is(pre, .code, .definition) *) { unicode-bidi: plaintext; }
ul, ol { list-style: none; } h1 { font-size: 16px; font-weight: 650; letter-spacing: -.01em; }
h2 { font-size: 15px; font-weight: 620; }
h3, legend { font-size: 12px; font-weight: 600; letter-spacing: .05em; text-transform: uppercase; color: var(--muted); }
fieldset { border: 0; min-width: 0; }
button, input, select, textarea { font: inherit; color: inherit; }
button, input, select, textarea, .button, .menu summary { background: var(--panel); border: 1px solid var(--edge); border-radius: 7px; padding: 3px 10px; min-height: 30px; }
button, select, summary, .button { cursor: pointer; } input, select { text-overflow: ellipsis; }
.button { display: inline-flex; align-items: center; position: relative; }
button:hover, .button:hover, summary:hover, .chosen .used, .entry:hover, .entry[aria-selected=true], .request button:hover, .cell[aria-selected=true] button, .palette li:hover, .palette li[aria-selected=true] { background: var(--soft); }
button:disabled { color: var(--muted); cursor: default; }
button.main { background: var(--accent); border-color: var(--accent); color: var(--panel); font-weight: 600; }
button.quiet { border-color: var(--line); }
.ways button { border-color: var(--edge); }
button.dashed { border-style: dashed; border-color: var(--edge); color: var(--muted); }
kbd { font: 11px var(--mono); margin-inline-start: 6px; }
code, pre, .code { font: 12.5px/1.6 var(--mono); } pre, .code, .definition { direction: ltr; }
:focus-visible, .button:focus-within { outline: 2px solid var(--accent); outline-offset: 1px; }
main:focus, aside:focus { outline: none; }
.hint { color: var(--muted); font-size: 12.5px; }
.dim, .empty p, .facts dt, .list-head output, .cell:is(.lacks, .unavailable) { color: var(--muted); }
.link, .field { color: var(--accent); } .pill.wrong, .text .error, .risky { background: var(--badsoft); }
.yes, .string, .cell:is(.allowed, .override) { color: var(--good); } .no, .problem, .cell.denied { color: var(--bad); }
.row, .toolbar { display: flex; gap: 8px; flex-wrap: wrap; align-items: center; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; inset-inline-start: -999px; clip-path: inset(50%); }
.skip:focus { inset-inline-start: 12px; clip-path: none; top: 6px; background: var(--panel); padding: 6px 12px; border-radius: 8px; z-index: 9; }
::backdrop { background: rgb(0 0 0 / 40%); }

.bar { display: flex; align-items: center; gap: 4px 12px; flex-wrap: wrap; min-height: 48px; padding: 4px 16px; flex: none; } .bar .clock { flex-wrap: nowrap; }
.bar .find { margin-inline-start: auto; white-space: nowrap; } .bar .find > :not(.hidden) { unicode-bidi: isolate; } .bar .find { display: flex; gap: 6px; align-items: center; }
.who { display: flex; gap: 8px; align-items: center; min-width: 0; }
.choice { display: flex; gap: 6px; align-items: center; min-width: 0; }
.choice select { max-width: clamp(190px, 100vw - 1160px, 280px); min-width: 0; }
.check { display: flex; gap: 8px; align-items: center; min-height: 28px; }
.check input { width: 16px; height: 16px; min-height: 0; margin: 0; accent-color: var(--accent); }
.menu { position: relative; min-width: 0; }
.menu summary { list-style: none; background: var(--panel); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.menu summary::after { content: ' ▾'; color: var(--muted); }
.panel { position: absolute; z-index: 5; top: 36px; inset-inline-start: 0; width: 300px; display: grid; gap: 14px; padding: 16px; border: 1px solid var(--line); border-radius: 12px; box-shadow: 0 8px 30px rgb(0 0 0 / 18%); max-height: 80dvh; overflow: auto; background: linear-gradient(transparent, var(--panel) 60%) bottom / 100% 36px no-repeat local, linear-gradient(transparent, var(--edge)) bottom / 100% 8px no-repeat, var(--panel); }
.panel input[type=url] { width: 100%; margin: 4px 0 8px; }
.panel .choice { display: grid; grid-template-columns: 70px minmax(0, 1fr); }
.panel .choice select { max-width: none; }
.views { display: flex; gap: 4px; height: 40px; padding: 0 12px; border-bottom: 1px solid var(--line); flex: none; overflow-x: auto; }
.views a { display: flex; align-items: center; gap: 6px; padding: 0 10px; color: var(--muted); text-decoration: none; font-weight: 550; border-bottom: 2px solid transparent; }
.views a:hover { color: var(--text); } :is(.views [aria-current], .tabs [aria-selected=true]) { color: var(--text); border-color: var(--accent); }
.badge { font-size: 11px; padding: 0 6px; border-radius: 9px; background: var(--soft); color: var(--accent); }
.notice { display: flex; gap: 12px; align-items: center; justify-content: space-between; padding: 6px 16px; background: var(--warnsoft); color: var(--warn); flex: none; }
.notice button { white-space: nowrap; flex: none; } .notice .last { flex: 1; min-width: 0; } .notice pre { max-height: 22dvh; background: none; border: 0; padding: 2px 0; color: inherit; } .state { flex-wrap: nowrap; white-space: nowrap; font-size: 12.5px; gap: 4px; }
.differs { flex-wrap: wrap; } .differs span { flex: 1 1 240px; overflow-wrap: anywhere; }
.notice.bad { background: var(--badsoft); color: var(--bad); }

.layout { flex: 1; min-height: 0; display: grid; grid-template-columns: minmax(0, 1fr); }
.with-rail { grid-template-columns: clamp(190px, 17vw, 240px) minmax(0, 1fr); }
.with-side { grid-template-columns: minmax(0, 1fr) clamp(340px, 30vw, 480px); } .with-rail.with-side { grid-template-columns: clamp(190px, 17vw, 240px) minmax(0, 1fr) clamp(340px, 30vw, 480px); }
main { min-height: 0; display: flex; flex-direction: column; }
.content { flex: 1; min-height: 0; overflow: auto; padding: 16px; display: flex; flex-direction: column; gap: 14px; }
.foot { flex: none; position: relative; padding: 12px 16px; border-top: 1px solid var(--line); background: var(--ground); }
.over { position: absolute; left: 8px; right: 8px; bottom: 100%; display: grid; gap: 8px; padding-bottom: 8px; justify-items: center; pointer-events: none; }
.over > * { pointer-events: auto; } .over .list { width: 100%; max-height: 50dvh; overflow: auto; box-shadow: 0 8px 30px rgb(0 0 0 / 18%); }
.newer { border-radius: 15px; }
.over .chips { display: flex; flex-wrap: wrap; gap: 6px; padding: 10px; }
.chips li { padding: 3px 12px; min-height: 30px; border: 1px solid var(--edge); border-radius: 15px; cursor: pointer; overflow-wrap: anywhere; }
.chips li:hover, .chips [aria-selected=true], .row [aria-pressed=true] { background: var(--soft); border-color: var(--accent); } .chips .taken { border-color: var(--accent); color: var(--accent); font-weight: 600; }
.side { min-height: 0; overflow: auto; padding: 12px 16px 24px; border-inline-start: 1px solid var(--line); background: var(--panel); display: flex; flex-direction: column; gap: 10px; }
#inspector-panel { display: flex; flex-direction: column; gap: 10px; }
dialog.side { width: 100vw; max-width: none; height: 100dvh; max-height: none; border: 0; color: inherit; margin: 0; }
dialog:not([open]), .menu summary::-webkit-details-marker { display: none; }
.close { align-self: flex-end; }
footer { flex: none; padding: 3px 16px; font-size: 11.5px; color: var(--muted); border-top: 1px solid var(--line); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.tabs { display: flex; gap: 2px; border-bottom: 1px solid var(--line); }
.tabs button { border: 0; border-bottom: 2px solid transparent; border-radius: 0; background: none; color: var(--muted); font-weight: 550; }
pre { padding: 10px 12px; background: var(--ground); border: 1px solid var(--line); border-radius: 8px; overflow: auto; max-height: 60dvh; white-space: pre-wrap; overflow-wrap: anywhere; }
.fault { display: block; background: var(--badsoft); color: var(--bad); }
.failure { display: flex; gap: 12px; align-items: center; justify-content: space-between; padding: 8px 12px; border-radius: 8px; background: var(--badsoft); color: var(--bad); }
.empty { margin: auto; padding: 24px; max-width: 520px; display: grid; gap: 10px; justify-items: center; text-align: center; }
.empty .row { justify-content: center; }
.first h2 { font-size: 24px; }
.ways { display: grid; gap: 8px; width: min(340px, 100%); margin-top: 6px; } .ways button { min-height: 42px; }
.problems li { padding-inline-start: 10px; border-inline-start: 2px solid var(--bad); overflow-wrap: anywhere; }
.problems code { color: var(--muted); font-size: 12px; }
.rule p { padding: 2px 0 2px 16px; }
.verdict { font-weight: 550; }
.trace { border-inline-start: 2px solid var(--line); padding-inline-start: 16px; margin-inline-start: 5px; font-size: 13.5px; }
.trace li { position: relative; padding: 3px 0; overflow-wrap: anywhere; }
.trace li::before { content: ''; position: absolute; inset-inline-start: -22px; top: 9px; width: 10px; height: 10px; border-radius: 50%; background: var(--panel); border: 2px solid var(--edge); }
.trace .denied::before { background: var(--bad); border-color: var(--bad); } .trace .allowed::before { background: var(--good); border-color: var(--good); }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 3px 16px; font-size: 13.5px; }
.facts dd { margin: 0; overflow-wrap: anywhere; }
.size { display: grid; gap: 4px; }
progress { width: 100%; height: 8px; accent-color: var(--accent); }

.problems { display: grid; gap: 8px; }
.feed { display: grid; gap: 2px; align-content: end; padding: 12px 16px 16px; width: 100%; }
.feed-head { flex: none; display: flex; gap: 10px; align-items: center; padding: 8px 16px; min-height: 47px; border-bottom: 1px solid var(--line); } .feed-head button { margin-inline-start: auto; }
.message { position: relative; display: grid; grid-template-columns: 36px minmax(0, 1fr); gap: 0 12px; margin-top: 10px; padding: 3px 44px 3px 6px; border-radius: 8px; }
.message.joined { margin-top: 0; } .message.chosen { background: var(--soft); box-shadow: inset 3px 0 var(--accent); }
.message .body { grid-column: 2; min-width: 0; } .message > .avatar { grid-column: 1; margin-top: 2px; }
.message > .more { position: absolute; top: 2px; inset-inline-end: 6px; opacity: 0; } .message:is(:hover, :focus-within) > .more { opacity: 1; }
.head { display: flex; flex-wrap: wrap; gap: 0 6px; align-items: baseline; }
.author { border: 0; border-bottom: 2px solid transparent; border-radius: 0; background: none; font-weight: 620; padding: 0; min-height: 24px; }
.used { grid-column: 2; justify-self: start; border-color: transparent; background: none; text-align: var(--start); color: var(--muted); font-size: 13px; padding: 0; min-height: 24px; } .used b { color: var(--text); } .used .hint { margin-inline-start: 8px; }
.bubble { overflow-wrap: anywhere; } .bubble.parts { display: grid; gap: 4px; justify-items: start; max-width: 640px; }
.use { display: flex; flex-direction: column; align-items: flex-start; gap: 4px; padding-inline-start: 54px; } .use > .problem { white-space: pre-line; }
.bubble .row { padding: 4px 0 2px; } .reactions { gap: 6px; padding-top: 4px; } .reaction { min-height: 26px; padding: 0 8px; border-radius: 13px; } .reaction[aria-pressed=true] { background: var(--soft); border-color: var(--accent); }
.app { font-size: 10.5px; font-weight: 650; padding: 0 4px; border-radius: 4px; background: var(--accent); color: var(--panel); }
.avatar { width: 36px; height: 36px; flex: none; border-radius: 50%; border: 2px solid transparent; display: grid; place-items: center; font-weight: 650; font-size: 13px; background: var(--tone); color: #fff; }
.avatar img { width: 100%; height: 100%; border-radius: 50%; object-fit: cover; }
.tone-0 { --tone: #3451c6; } .tone-1 { --tone: #1f7a48; } .tone-2 { --tone: #a03b2b; } .tone-3 { --tone: #76508f; } .tone-4 { --tone: #8a5a00; } .tone-5 { --tone: #0f6f7c; } .tone-6 { --tone: #a0356b; } .tone-7 { --tone: #55606e; }
dialog.modal { width: min(460px, 94vw); padding: 20px; border: 1px solid var(--line); border-radius: 14px; background: var(--panel); color: inherit; max-height: 88dvh; overflow: auto; }
.modal form, .modal .input, .modal label:not(.check) { display: grid; gap: 6px; } .modal form { gap: 14px; } .modal legend { font: inherit; font-weight: 600; letter-spacing: 0; text-transform: none; color: inherit; } .modal label:not(.check) > span { font-weight: 600; }
.panes { flex: 1; min-height: 0; display: grid; grid-template-columns: minmax(0, 1fr); } .panes.double { grid-template-columns: repeat(2, minmax(0, 1fr)); } .pane { min-height: 0; min-width: 0; display: flex; flex-direction: column; } .stream { flex: 1; min-height: 0; overflow: auto; display: flex; flex-direction: column; } .stream:focus-visible { outline-offset: -2px; } .pane + .pane { border-inline-start: 1px solid var(--line); }
.newest { flex-direction: column-reverse; }
.rail { min-height: 0; overflow: auto; padding: 12px 8px; border-inline-end: 1px solid var(--line); background: var(--panel); display: flex; flex-direction: column; gap: 4px; }
.rail ul[aria-label=Channels] { max-height: 46dvh; overflow: auto; flex: none; } .rail .search { margin: 2px 8px; width: auto; min-width: 0; } .rest { padding: 2px 8px; }
.rail h2 { font-size: 12px; letter-spacing: .05em; text-transform: uppercase; color: var(--muted); padding: 10px 8px 2px; }
.category { font-size: 12px; color: var(--muted); padding: 8px 8px 2px; }
.rail button { border-color: transparent; background: none; text-align: var(--start); min-width: 0; } .rail button:hover, .rail [aria-current=true], .rail [aria-pressed=true] { background: var(--soft); } .rail .dashed { border-color: var(--edge); align-self: flex-start; margin: 4px 8px; }
.channel { width: 100%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; } .channel[aria-current=true] { font-weight: 620; } .in-thread { padding-inline-start: 12px; }
.dot { display: inline-block; width: 8px; height: 8px; margin-inline-start: 8px; border-radius: 50%; background: var(--accent); }
.person-row { display: flex; gap: 2px; align-items: center; } .person { flex: 1; display: flex; gap: 8px; align-items: center; padding: 3px 8px; } .person .avatar { width: 28px; height: 28px; font-size: 11px; } .person .name, .person .hint { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; } .person-text { flex: 1; min-width: 0; display: flex; flex-wrap: wrap; gap: 0 8px; line-height: 1.3; } .person-text > * { max-width: 100%; } .person[aria-pressed=true] .name { color: var(--accent); } .person:disabled { color: inherit; }
.test { width: 100%; display: grid; grid-template-columns: 16px minmax(0, 1fr); gap: 0 6px; padding: 3px 8px; } .test .mark { width: auto; } .test .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; } .test .what { grid-column: 2; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; overflow-wrap: anywhere; }
.rail h2 ~ .dashed { flex: none; } .modal .form { display: grid; gap: 10px; } .modal .form > * { min-width: 0; overflow-wrap: anywhere; } dialog.test-shown { width: min(620px, 94vw); } .test-shown pre { max-height: 24dvh; }
dialog.rail { width: min(320px, 88vw); max-width: none; height: 100dvh; max-height: none; margin: 0; border: 0; color: inherit; }
.writing { display: flex; gap: 8px; align-items: end; } .writing .attach { min-width: 40px; min-height: 44px; justify-content: center; font-size: 18px; border-radius: 10px; } .writing > textarea { flex: 1; min-width: 0; min-height: 44px; max-height: 40vh; font-size: 16px; line-height: 1.4; border-radius: 10px; padding: 10px 14px; resize: none; field-sizing: content; } .not-sent .line { white-space: pre-wrap; overflow-wrap: anywhere; } .on { justify-content: space-between; padding-bottom: 4px; }
.shut { position: absolute; inset-inline-end: 12px; z-index: 1; } .side { position: relative; } dialog .shut { display: none; }
.bubble pre { max-height: none; margin: 4px 0; } .bubble code:not(pre *) { background: var(--ground); padding: 0 4px; border-radius: 4px; }
blockquote { margin: 2px 0; padding-inline-start: 10px; border-inline-start: 4px solid var(--line); } .deep-1, .plan p + p { padding-inline-start: 20px; } .deep-2 { padding-inline-start: 40px; } .deep-3 { padding-inline-start: 60px; }
.heading-1 { font-size: 20px; font-weight: 650; } .heading-2 { font-size: 17px; font-weight: 650; } .heading-3 { font-weight: 650; }
.mention { border: 0; min-height: 0; font-weight: inherit; line-height: inherit; color: var(--accent); background: var(--soft); border-radius: 4px; padding: 0 2px; }
.spoiler { display: inline; } .spoiler > summary { display: inline; list-style: none; border-radius: 4px; padding: 0 4px; background: var(--line); min-height: 0; } .spoiler[open] > summary { display: none; }
.embed { display: grid; gap: 6px; margin: 6px 0 4px; padding: 8px 12px; max-width: 520px; border: 1px solid var(--line); border-inline-start-width: 4px; border-radius: 6px; background: var(--ground); }
.embed-title { font-weight: 620; } .embed > .box { justify-self: start; } .fields { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 6px 12px; } .fields .wide { grid-column: 1 / -1; }
.section { display: flex; gap: 12px; justify-content: space-between; align-items: flex-start; } hr { width: 100%; border: 0; border-top: 1px solid var(--line); } hr.space { border: 0; }
.bubble .link { text-decoration: underline; } .bubble a.button { text-decoration: none; color: inherit; gap: 4px; } .bubble.parts > :is(.embed, .section) { width: min(520px, 100%); } .section > div:first-child { flex: 1; min-width: 0; } .box a { color: var(--accent); }
.cover { display: inline-block; min-width: 120px; max-width: 100%; border-radius: 8px; } .cover > summary { list-style: none; text-align: center; padding: 22px 16px; min-height: 0; border-radius: 8px; background: var(--line); font-weight: 620; text-transform: uppercase; font-size: 12px; letter-spacing: .05em; } .cover[open] > summary { padding: 1px 8px; font-size: 11px; }
.gallery { display: grid; grid-template-columns: repeat(6, minmax(0, 1fr)); gap: 4px; width: min(520px, 100%); margin-top: 4px; } .gallery > * { grid-column: span 2; min-width: 0; } .bubble .gallery img { margin: 0; width: 100%; height: 100%; max-height: 300px; object-fit: cover; } .gallery .cover { display: block; height: 100%; } .gallery .cover:not([open]) > summary { display: grid; place-items: center; height: 100%; aspect-ratio: 1; max-height: 300px; }
.gallery:is(.of-1, .of-7, .of-10) > :first-child { grid-column: 1 / -1; } .gallery:is(.of-2, .of-5, .of-8) > :nth-child(-n+2), .gallery.of-4 > * { grid-column: span 3; } .gallery.of-3 > :first-child { grid-column: span 4; grid-row: span 2; } .bubble .gallery.of-3 > :first-child img { max-height: none; } .bubble .gallery.of-1 img { width: auto; height: auto; max-width: min(360px, 100%); }
.embed-body { display: flex; gap: 16px; justify-content: space-between; } .embed-text { display: grid; gap: 6px; min-width: 0; flex: 1; align-content: start; } .thumbnail { flex: none; max-width: 90px; } .thumbnail .cover { min-width: 0; } .bubble .thumbnail img { max-width: 85px; max-height: 85px; margin: 0; } .embed-author { display: flex; align-items: center; font-size: 13px; } .bubble .icon { display: inline-block; width: 20px; height: 20px; margin: 0 6px 0 0; border-radius: 50%; vertical-align: middle; object-fit: cover; }
.poll ul { display: grid; gap: 6px; } .poll button { width: 100%; text-align: var(--start); overflow-wrap: anywhere; min-height: 36px; } .poll [aria-pressed=true] { border-color: var(--accent); background: var(--soft); } hr.large { margin: 10px 0; }
button.success { background: var(--good); border-color: var(--good); color: var(--panel); font-weight: 600; } button.danger { background: var(--bad); border-color: var(--bad); color: var(--panel); font-weight: 600; }
.bubble img { display: block; max-width: min(360px, 100%); max-height: 300px; border-radius: 8px; margin-top: 4px; } .box { display: inline-block; margin: 4px 6px 0 0; padding: 1px 8px; border: 1px solid var(--line); border-radius: 6px; font-size: 12.5px; }
.pick { display: inline-grid; gap: 4px; width: min(320px, 100%); vertical-align: top; } .pick .opener { display: flex; justify-content: space-between; gap: 8px; text-align: var(--start); min-width: 0; overflow-wrap: anywhere; } .pick .opener::after { content: '▾'; color: var(--muted); }
.picking { display: grid; gap: 6px; padding: 8px; border: 1px solid var(--line); border-radius: 10px; background: var(--panel); box-shadow: 0 8px 30px rgb(0 0 0 / 18%); } .picking ul { max-height: 220px; overflow: auto; } .picking li { display: flex; gap: 6px; align-items: baseline; padding: 4px 8px; border-radius: 6px; cursor: pointer; overflow-wrap: anywhere; } .picking li:hover, .picking .active { background: var(--soft); } .picking [aria-selected=true] { color: var(--accent); font-weight: 600; }
.list { display: grid; gap: 8px; background: var(--panel); border: 1px solid var(--line); border-radius: 12px; padding: 12px; }
.list[aria-busy=true] { animation: 0s .2s forwards late; } @keyframes late { to { border-color: var(--accent); cursor: progress; } }
.list-head { display: flex; gap: 12px; align-items: center; padding: 0 4px; } .list-head output { margin-inline-start: auto; white-space: nowrap; }
.entry { display: grid; grid-template-columns: 28px minmax(0, max-content) minmax(80px, 1fr) auto; gap: 2px 12px; align-items: baseline; padding: 5px 6px; border-radius: 8px; cursor: pointer; content-visibility: auto; contain-intrinsic-size: auto 34px; }
.twice { color: var(--warn); }
.entry[data-group]:not(:first-child) { margin-top: 6px; }
.tile { width: 26px; height: 24px; border-radius: 7px; background: var(--ground); color: var(--accent); display: grid; place-items: center; font-weight: 650; font-size: 13px; }
.title { display: flex; gap: 2px 6px; align-items: baseline; overflow: hidden; white-space: nowrap; max-width: 46ch; } .title > * { flex: none; } .title > .name { max-width: 100%; overflow: hidden; text-overflow: ellipsis; }
.name { font-weight: 620; overflow-wrap: anywhere; }
.about { text-align: var(--start); color: var(--muted); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.option { font-size: 12px; padding: 0 6px; border: 1px dashed var(--edge); border-radius: 6px; color: var(--muted); }
.option.required { border-style: solid; color: var(--text); }
.option.here { border-color: var(--accent); background: var(--soft); color: var(--text); }
.hidden-commands { border-top: 1px solid var(--line); padding: 10px 4px 0; display: grid; gap: 4px; }
.hidden-commands summary { padding: 2px 4px; border-radius: 6px; }
.hidden-commands summary .hint { margin-inline-start: 10px; }
.reason { padding: 6px 18px; display: grid; gap: 4px; }
.pills { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; min-height: 44px; padding: 6px 12px; background: var(--panel); border: 1px solid var(--edge); border-radius: 10px; }
.pills .main { margin-inline-start: auto; }
.pill { display: inline-grid; grid-template-columns: auto 1fr; align-items: center; justify-items: start; background: var(--soft); border-radius: 8px; padding: 2px 3px 2px 9px; gap: 6px; max-width: 100%; }
.pill input { min-height: 26px; padding: 0 6px; max-width: 220px; }
.pill .problem { grid-column: 1 / -1; font-size: 12.5px; padding-bottom: 2px; }

.toolbar input[type=search] { flex: 1; min-width: 160px; }
.toolbar output { margin-inline-start: auto; }
.live { color: var(--good); font-weight: 600; font-size: 13px; }
.requests { display: grid; }
.request { border-bottom: 1px solid var(--line); content-visibility: auto; contain-intrinsic-size: auto 34px; }
.request button { display: grid; width: 100%; grid-template-columns: 66px 16px 80px minmax(0, 1fr) 36px 52px 46px minmax(70px, 16%); gap: 8px; border: 0; border-radius: 0; background: none; text-align: var(--start); padding: 5px 6px; font-variant-numeric: tabular-nums; }
.request [aria-pressed=true] { background: var(--soft); box-shadow: inset 3px 0 var(--accent); }
.path { font: 12.5px/1.7 var(--mono); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.side .path { white-space: normal; overflow-wrap: anywhere; flex: none; }
.summary { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.events { padding: 0 6px 5px 96px; font: 12px var(--mono); color: var(--muted); }
.changes li { font: 12.5px/1.6 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere; } .plain { display: grid; gap: 2px; }
.definition { flex: 1 0 200px; min-height: 160px; display: flex; overflow: auto; border: 1px solid var(--line); border-radius: 10px; background: var(--panel); font: 12.5px/20px var(--mono); }
.definition pre, .definition textarea { font: inherit; border: 0; background: none; padding: 10px 12px; margin: 0; white-space: pre; overflow: visible; max-height: none; tab-size: 2; border-radius: 0; }
.definition:focus-within { border-color: var(--accent); }
.definition textarea { position: absolute; inset: 0; width: 100%; height: 100%; resize: none; color: transparent; caret-color: var(--text); overflow: hidden; outline: none; }
.definition textarea::placeholder { color: var(--muted); white-space: normal; }
.definition .text { position: relative; flex: 1 0 auto; min-height: 100%; }
.gutter { position: sticky; inset-inline-start: 0; z-index: 1; text-align: right; color: var(--muted); background: var(--panel) !important; border-inline-end: 1px solid var(--line) !important; user-select: none; }
.gutter .error { color: var(--bad); font-weight: 700; } .gutter .warning { color: var(--warn); font-weight: 700; }
.text :is(.error, .warning) { display: block; } .text .warning, .cell.staged, .hole { background: var(--warnsoft); }
.value, .hole .hint { color: var(--warn); }
.preview { display: flex; flex-wrap: wrap; gap: 4px 14px; align-items: baseline; max-height: 56px; overflow: auto; }
.preview > span { display: inline-flex; gap: 5px; align-items: baseline; }
.findings { display: grid; gap: 10px; }
.findings li { border-inline-start: 2px solid var(--bad); padding-inline-start: 8px; display: grid; gap: 2px; }
.findings .warning { border-color: var(--warn); }
.finding { border: 0; background: none; text-align: var(--start); padding: 2px 4px; overflow-wrap: anywhere; }
.findings code { color: var(--muted); padding-inline-start: 4px; }
.toolbar h2 { flex: 1 1 240px; }
.plan { display: grid; overflow: hidden; border: 1px solid var(--line); border-radius: 10px; background: var(--panel); }
.plan li { padding: 8px 14px; } .plan li + li { border-top: 1px solid var(--line); }
.mark { display: inline-block; width: 20px; font-family: var(--mono); }
.difference { font: 12.5px/1.6 var(--mono); overflow-wrap: anywhere; color: var(--muted); }
button.main:disabled { background: none; border-color: var(--line); color: var(--muted); }
.scroll { position: relative; overflow: auto; border: 1px solid var(--line); border-radius: 10px; background: linear-gradient(to right, transparent, var(--panel) 60%) right / 36px 100% no-repeat local, linear-gradient(to right, transparent, var(--edge)) right / 6px 100% no-repeat, var(--panel); min-height: 0; }
table { border-collapse: collapse; width: 100%; font-size: 13.5px; }
th, td { text-align: var(--start); padding: 6px 12px; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
thead th:first-child { inset-inline-start: 0; z-index: 2; }
thead th { position: sticky; top: 0; z-index: 1; background: var(--panel); color: var(--muted); font-size: 12.5px; font-weight: 600; white-space: nowrap; }
tbody th { font-weight: 550; position: sticky; inset-inline-start: 0; background: var(--panel); white-space: nowrap; }
td.cell { padding: 2px; text-align: center; }
.cell button { width: 100%; border: 1px solid transparent; background: none; font-size: 15px; }
.cell.lacks { font-weight: 700; }
.cell.override button, .cell.denied button { border: 1px solid currentColor; font-weight: 700; }
[role=grid] thead th:not(:first-child) { text-align: center; } [role=grid] tbody > tr > * { height: 42px; padding-block: 2px; line-height: 1.3; vertical-align: middle; }
.unsynced { color: var(--warn); font-weight: 600; }
.legend .cell { display: inline-block; width: 20px; text-align: center; border: 1px solid transparent; border-radius: 7px; } .legend :is(.override, .denied) { border-color: currentColor; }
.note { display: block; max-width: min(230px, 40vw); overflow: hidden; text-overflow: ellipsis; font-weight: 400; }
.texts { table-layout: fixed; min-width: 560px; }
.texts th:first-child { width: 26%; } .texts .source { display: none; }
.texts tbody th { white-space: normal; font-weight: 400; color: var(--muted); padding-inline-start: 24px; }
.texts .group { padding-inline-start: 12px; font-weight: 620; color: var(--text); }
.folded { display: grid; gap: 10px; padding-top: 10px; } .texts td:has(textarea) { padding: 3px 6px; min-width: 150px; } .texts td > .hint { padding: 0 6px; } .texts tbody th { min-width: 96px; }
.texts textarea { display: block; width: 100%; min-height: 32px; padding: 3px 8px; line-height: 1.7; resize: none; field-sizing: content; overflow-wrap: anywhere; border-color: var(--line); background: transparent; }
.texts :is(textarea:hover, textarea:focus) { background: var(--panel); border-color: var(--edge); } .texts .hole textarea { border-color: var(--edge); } .texts .typed textarea { border-color: var(--accent); } .texts [aria-invalid] { border-color: var(--bad) !important; }
.texts thead button { min-height: 24px; padding: 0 6px; margin-inline-start: 6px; } .readers li { padding: 5px 0; display: flex; flex-wrap: wrap; gap: 2px 8px; line-height: 1.7; border-bottom: 1px solid var(--line); }
.tint { padding: 0 4px; border-radius: 4px; background: var(--warnsoft); } .fallback { background: var(--soft); } .fallback .hint { color: var(--accent); }
textarea { width: 100%; resize: vertical; padding: 8px 10px; }
.palette { width: min(560px, 94vw); margin: 10vh auto auto; max-height: 86dvh; padding: 10px; border: 1px solid var(--line); border-radius: 14px; background: var(--panel); color: inherit; }
.palette.at { margin: 0; width: min(320px, 94vw); } .palette h2 { padding: 2px 4px 8px; }
.palette input { width: 100%; min-height: 40px; }
.palette li { display: flex; justify-content: space-between; padding: 6px 10px; border-radius: 8px; cursor: pointer; }
.palette ul { margin-top: 6px; }
.over .mentions { padding: 6px; max-height: 40dvh; } .offer { display: flex; gap: 10px; align-items: baseline; justify-content: space-between; padding: 4px 10px; border-radius: 8px; cursor: pointer; } .offer b { overflow-wrap: anywhere; } .offer[aria-selected=true], .offer:hover { background: var(--soft); }

@media (max-height: 500px) {
  body { height: auto; min-height: 100dvh; } .layout { min-height: 320px; height: calc(100dvh - 84px); flex: none; } .bar { min-height: 40px; padding-block: 2px; } .feed-head { min-height: 0; padding-block: 2px; } .views { height: 32px; } .foot { padding-block: 6px; }
}
@media (max-width: 1099px) {
  .with-side, .with-rail.with-side { grid-template-rows: minmax(0, 1fr) fit-content(42%); } .with-side { grid-template-columns: minmax(0, 1fr); }
  .with-rail, .with-rail.with-side { grid-template-columns: 206px minmax(0, 1fr); } .with-side .rail { grid-row: 1 / -1; } .with-rail .side { grid-column: 2; }
  .request button { grid-template-columns: 66px 16px 80px minmax(0, 1fr) 36px; } .request .hint:not(.at) { display: none; } .request .summary { grid-column: 2 / -1; }
  .side { border-inline-start: 0; border-top: 1px solid var(--line); }
}
@media (max-width: 600px), (max-width: 1099px) and (max-height: 500px) {
  .layout.layout { grid-template-rows: minmax(0, 1fr); grid-template-columns: minmax(0, 1fr); height: calc(100dvh - 40px); }
  .bar h1 { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); } .bar { flex-wrap: nowrap; } .opener { flex: 1 1 0; min-width: 90px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; text-align: var(--start); }
  .message > .more { opacity: 1; } .title { max-width: none; } .feed { padding: 8px 10px; } dialog#inspector { margin-top: auto; height: 80dvh; border-radius: 16px 16px 0 0; } @media (prefers-reduced-motion: no-preference) { dialog#inspector { animation: .15s up; } } @keyframes up { from { transform: translateY(40%); } }
  .views-menu { margin-inline-start: auto; } .bar .find { margin: 0; }
  .bar .find kbd, footer, .events { display: none; }
  .content { padding: 12px; }
  .foot { padding: 8px 12px; } .empty { margin: 0 auto; }
}
@media (max-width: 600px) {
  .layout.layout { height: calc(100dvh - 84px); } .panes.double { grid-template-columns: minmax(0, 1fr); }
  .bar { flex-wrap: wrap; height: auto; padding: 6px 12px; gap: 6px 10px; } .opener { flex-basis: 40%; }
  .bar .menu { order: 3; flex: 1 1 60%; }
  .bar .details { order: 4; }
  .toolbar :is(h2, input[type=search]) { flex: 1 1 100%; }
  .entry { grid-template-columns: 28px minmax(0, 1fr); }
  .about { grid-column: 2; }
  .toolbar .choice { flex: 1 1 40%; display: grid; gap: 0; } .toolbar .choice select { width: 100%; }
  .fields { grid-template-columns: minmax(0, 1fr); }
  .texts tr > :nth-child(2):not(:last-child) { display: none; } .texts .source { display: block; color: var(--text); }
  .texts { min-width: 0; table-layout: auto; }
  .texts th:first-child { width: 42%; }
}
@media (pointer: coarse) { button, .button, select, input, summary, .menu summary, .entry, .chips li, .pill input { min-height: 44px; } .chips li { padding: 9px 16px; border-radius: 22px; } .menu summary { line-height: 36px; } .bubble summary { min-height: 0; } }
`
