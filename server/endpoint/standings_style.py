"""How the page of standings looks on a phone, on a wide screen and on paper, and the policy that allows just this."""

from base64 import b64encode
from hashlib import sha256
from typing import Final

STYLE: Final = """
:root { color-scheme: light dark; --ink: #1b1f1d; --soft: #5a645f; --line: #d5dcd8; --band: #f3f6f4; --mark: #17613f;
  --paper: #fff; --warm: #8a4b08 }
@media screen and (prefers-color-scheme: dark) { :root { --ink: #e7ece9; --soft: #a3aea8; --line: #39423d;
  --band: #1d2320; --mark: #74cfa2; --paper: #141816; --warm: #f0b36a } }
* { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
body { margin: 0 auto; padding: 1rem .75rem 3rem; max-width: 66rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.4 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif }
bdi { overflow-wrap: anywhere }
header { border-bottom: 3px solid var(--mark); padding-bottom: .6rem }
h1 { margin: 0; font-size: 1.6rem; line-height: 1.2 }
header p { margin: .25rem 0 0; color: var(--soft) }
h2 { margin: 2.2rem 0 .6rem; font-size: 1.2rem; color: var(--mark) }
nav { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; margin: .8rem 0 0 }
nav a { color: var(--mark); padding: .3rem 0 }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
caption { text-align: left; font-weight: 600; padding: .2rem 0 .3rem }
.note { margin: 0 0 .5rem; max-width: 44rem; font-size: .85em; color: var(--soft) }
.v { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
td small, th small { display: block; font-weight: 400; font-size: .8em; color: var(--soft) }
th, td { padding: .35rem .4rem; text-align: left; vertical-align: baseline; border-bottom: 1px solid var(--line) }
thead th { font-size: .8em; font-weight: 600; color: var(--soft); border-bottom: 2px solid var(--line) }
tbody th { font-weight: 500 }
.n { text-align: right; white-space: nowrap }
.b { font-weight: 700 }
.k { color: var(--warm); font-size: .85em; white-space: normal }
small .k { font-size: inherit }
.list { max-width: 44rem }
.list td:first-child, .list thead th:first-child { width: 1%; white-space: nowrap }
.list tbody th, .rounds tbody td:first-of-type { min-width: 7.4rem }
.list tbody tr:nth-child(even) { background: var(--band) }
abbr { text-decoration: none }
.rounds { display: grid; gap: 1.6rem 2.4rem; align-items: start }
.rounds tbody tr:last-child > * { border-bottom: 2px solid var(--line) }
.rounds .t { width: 3.2rem; font-weight: 600; vertical-align: top }
.wide { overflow-x: auto }
.wide table { width: auto }
.wide tbody th { position: sticky; left: 0; background: var(--paper); min-width: 7rem; max-width: 12rem }
.cross td { text-align: right; vertical-align: top; min-width: 4.2rem }
.met td, .met thead th { text-align: center; padding: .25rem; min-width: 1.9rem }
.met .m0 { color: var(--soft) } .met .m2 { font-weight: 700; background: var(--band) }
.met .self { background: var(--line) }
@media screen and (max-width: 30rem) { th, td { padding: .35rem .22rem } .rounds .t { width: 2.4rem }
  .list tbody th, .rounds tbody td:first-of-type { min-width: 6.4rem } }
@media (min-width: 56rem) { body { padding: 2rem } .rounds { grid-template-columns: 1fr 1fr } }
@page { size: A4 portrait; margin: 14mm 12mm }
@media print {
  body { max-width: none; padding: 0; font-size: 9pt; line-height: 1.25 } nav { display: none }
  h2 { break-after: avoid; margin: 1rem 0 .4rem } thead { display: table-header-group }
  tr, .rounds tbody, .rounds table, caption { break-inside: avoid } caption { break-after: avoid }
  tbody tr:first-child { break-before: avoid }
  th, td { padding: .12rem .3rem } .list { max-width: none }
  .list tbody tr:nth-child(even) { background: none }
  .list th small, .cross:not(.many) small { display: inline; margin-left: .5em }
  .rounds { display: block; columns: 2; column-gap: 7mm; font-size: 8pt } .rounds table { margin-bottom: .8rem }
  .rounds th, .rounds td { padding: .05rem .2rem } .rounds .t { width: 2.2rem }
  .wide { overflow: visible; font-size: 8pt } .wide tbody th { position: static } .cross td { min-width: 0 }
  .met td, .met thead th { min-width: 4.2mm; padding: .1rem 0; font-size: 7pt }
  .note { break-after: avoid }
}
"""

_DIGEST: Final = b64encode(sha256(STYLE.encode()).digest()).decode()

PAGE_HEADERS: Final = (
    (
        "Content-Security-Policy",
        f"default-src 'none'; style-src 'sha256-{_DIGEST}'; "
        "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    ),
)
"""Go with every page of standings: nothing is loaded, nothing runs, and this one style is taken."""
