/// How the pages look: light and dark by the person's own setting, from 320 px on.
public enum StyleSheet {
    public static let text = #"""
        :root {
          color-scheme: light dark;
          --paper: #ffffff; --card: #f6f7f9; --ink: #16191d; --soft: #4c545e; --line: #c9cfd6;
          --accent: #0b57a4; --on-accent: #ffffff; --yes: #1b6b35; --no: #a12222; --warn: #fdf1dc; --ring: #0b57a4;
          --data: #d5e5f7; --plugin: #e3ddf5; --target: #d9efdf; --server: #fbdfc4; --band: #5d8fc4; --leaves: #c2600b;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #14171b; --card: #1e2329; --ink: #eceff2; --soft: #b4bcc6; --line: #434c57;
            --accent: #8fc1f5; --on-accent: #0c1a29; --yes: #7fd29a; --no: #ff9a94; --warn: #3a2d13; --ring: #8fc1f5;
            --data: #1d3a58; --plugin: #3a3059; --target: #1e4530; --server: #5a3413; --band: #5b8cc0; --leaves: #f0a35c;
          }
        }
        * { box-sizing: border-box; }
        html { font: 100%/1.5 system-ui, sans-serif; background: var(--paper); color: var(--ink); }
        body { margin: 0; overflow-wrap: anywhere; }
        a { color: var(--accent); }
        :focus-visible { outline: 3px solid var(--ring); outline-offset: 2px; border-radius: 3px; }
        .skip { position: absolute; left: -100vw; background: var(--paper); padding: .5rem 1rem; z-index: 2; }
        .skip:focus { left: .5rem; top: .5rem; }
        header { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.25rem; padding: .5rem 1rem;
          border-bottom: 1px solid var(--line); }
        header .name { font-weight: 700; font-size: 1.15rem; color: var(--ink); text-decoration: none; }
        nav ul { display: flex; flex-wrap: wrap; gap: .1rem .2rem; list-style: none; margin: 0; padding: 0; }
        nav a { display: inline-block; padding: .35rem .6rem; border-radius: 6px; text-decoration: none; color: var(--ink); }
        nav a:hover { background: var(--card); }
        nav a[aria-current] { background: var(--accent); color: var(--on-accent); }
        .badge { display: inline-block; min-width: 1.4em; padding: 0 .35em; margin-left: .4em; border-radius: 1em;
          background: var(--no); color: var(--paper); font-size: .8rem; text-align: center; font-weight: 700; }
        .indicator { margin: 0 0 0 auto; font-size: .9rem; color: var(--soft); }
        .indicator::before { content: ""; display: inline-block; width: .65em; height: .65em; border-radius: 50%;
          margin-right: .45em; border: 1px solid var(--soft); }
        .indicator.busy { color: var(--ink); font-weight: 600; }
        .indicator.busy::before { background: var(--leaves); border-color: var(--leaves); }
        main { max-width: 62rem; margin: 0 auto; padding: 1rem; }
        h1 { font-size: 1.6rem; margin: .2rem 0 1rem; line-height: 1.25; }
        h2 { font-size: 1.2rem; margin: 1.6rem 0 .5rem; line-height: 1.3; }
        h3 { font-size: 1.02rem; margin: 1.1rem 0 .4rem; }
        footer { max-width: 62rem; margin: 2rem auto 0; padding: 1rem; border-top: 1px solid var(--line);
          color: var(--soft); font-size: .9rem; }
        article, .trial, .preview, fieldset { border: 1px solid var(--line); border-radius: 10px; background: var(--card);
          padding: .9rem 1rem; margin: 0 0 1rem; }
        article h2, article h3, .trial h2 { margin-top: 0; }
        article.question { border: 2px solid var(--accent); }
        article.grant.yes { border-left: 5px solid var(--yes); }
        article.grant.no { border-left: 5px solid var(--no); }
        .state { font-weight: 400; font-size: .95rem; color: var(--soft); margin-left: .6em; }
        .who { color: var(--soft); margin: 0 0 .6rem; }
        .danger { color: var(--no); margin: .3rem 0; }
        dl { margin: .4rem 0; display: grid; grid-template-columns: 9.5rem 1fr; gap: .42rem 1rem; }
        dt { color: var(--soft); } dd { margin: 0; }
        dt.strong, dd.strong { background: var(--warn); color: var(--ink); font-weight: 600; }
        pre { white-space: pre-wrap; background: var(--paper); border: 1px solid var(--line); border-radius: 6px;
          padding: .7rem; max-height: 26rem; overflow: auto; }
        code, pre, textarea { font-family: ui-monospace, monospace; font-size: .92em; }
        .answers { display: flex; flex-wrap: wrap; gap: .5rem; margin: .8rem 0 .3rem; }
        button { font: inherit; padding: .45rem 1.05rem; border-radius: 8px; border: 1px solid var(--accent);
          background: var(--paper); color: var(--accent); cursor: pointer; min-height: 2.5rem; }
        button:hover { background: var(--accent); color: var(--on-accent); }
        form { margin: .3rem 0; }
        label { display: block; margin: .5rem 0 .15rem; }
        label.choice { display: inline-flex; align-items: center; gap: .4rem; margin: 0 1rem .2rem 0; }
        input:not([type=checkbox]):not([type=radio]), select, textarea { font: inherit; width: 100%; max-width: 34rem; padding: .4rem .55rem;
          border: 1px solid var(--soft); border-radius: 6px; background: var(--paper); color: var(--ink); min-height: 2.5rem; }
        textarea { max-width: 100%; font-family: ui-monospace, monospace; font-size: .92rem; }
        .picks { list-style: none; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: .5rem; }
        .pick { border: 1px solid var(--line); border-radius: 8px; padding: .4rem .5rem; margin: 0; height: 100%; cursor: pointer; }
        .pick:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 2px var(--accent); }
        .pick img { display: block; width: 100%; height: 8rem; object-fit: cover; border-radius: 5px; background: var(--paper); }
        .pick span { display: flex; gap: .5rem; align-items: baseline; }
        form > button { margin: .5rem .5rem 0 0; } td form > button { margin: 0; }
        details { margin: .5rem 0; } summary { cursor: pointer; padding: .3rem 0; }
        .notice { padding: .6rem .9rem; border-radius: 8px; border: 1px solid var(--yes); border-left-width: 6px; }
        .notice.failure { border-color: var(--no); }
        .finding { background: var(--warn); padding: .4rem .7rem; border-radius: 6px; }
        .panes { list-style: none; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: .8rem; }
        .pane { display: flex; flex-direction: column; border: 1px solid var(--line); border-radius: 10px; padding: .8rem 1rem;
          background: var(--card); color: var(--ink); text-decoration: none; height: 100%; }
        .pane strong { font-size: 1.05rem; } .pane span { color: var(--soft); font-size: .92rem; }
        .pane:hover { border-color: var(--accent); }
        .usage li { margin: .25rem 0; }
        .table { overflow-x: auto; margin: .8rem 0; }
        table { border-collapse: collapse; width: 100%; font-size: .94rem; }
        caption { text-align: left; font-weight: 600; padding: .3rem 0; }
        th, td { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--line);
          overflow-wrap: break-word; }
        tbody th { font-weight: 500; } thead th { color: var(--soft); font-weight: 500; }
        td > .head { display: none; } td time, th a { white-space: nowrap; }
        .picture { overflow-x: auto; border: 1px solid var(--line); border-radius: 10px; padding: .5rem; margin: 1rem 0; }
        .picture svg { display: block; min-width: 36rem; width: 100%; height: auto; }
        .band { fill: none; stroke: var(--band); opacity: .75; }
        .band.leaves { stroke: var(--leaves); stroke-dasharray: 14 5; }
        .node rect { stroke: var(--line); } .node text { font-size: 12px; fill: var(--ink); }
        .node.data rect { fill: var(--data); } .node.plugin rect { fill: var(--plugin); }
        .node.target rect { fill: var(--target); } .node.server rect { fill: var(--server); }
        .spot.real { fill: var(--ink); } .spot.told { fill: var(--no); } .spot.dummy { fill: var(--soft); }
        .spot.guess { fill: none; stroke: var(--no); }
        @media (max-width: 44rem) {
          .indicator { margin-left: 0; }
          dl { grid-template-columns: 1fr; gap: 0; } dd { margin: 0 0 .5rem; }
          thead { position: absolute; left: -100vw; }
          table, tbody, tr, th, td { display: block; width: 100%; }
          tbody tr { border: 1px solid var(--line); border-radius: 8px; padding: .5rem .8rem; margin: 0 0 .7rem; background: var(--card); }
          tbody th, td { border: 0; padding: .15rem 0; } tbody th { font-weight: 600; }
          td > .head { display: inline; color: var(--soft); } td > .head::after { content: ": "; }
          caption { display: block; } td.void { display: none; }
          .answers button { flex: 1 1 7rem; }
        }
        @media (min-width: 44.01rem) { #search + button, #path + button { margin-left: .5rem; } }
        @media (prefers-reduced-motion: no-preference) { button, .pane { transition: background .12s, border-color .12s; } }
        """#
}
