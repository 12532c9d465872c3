/// How the report looks, on paper as dark as the reader likes it.
enum HTMLStyle {
    static let sheet: StaticString = """
        :root{--paper:#fff;--ink:#1b1f24;--soft:#57606a;--line:#d0d7de;--band:#f1f4f7;--good:#116329;--bad:#b3131f;
        --warn:#7d4e00;--sent:#0757b8;--heard:#116329;--message:#7a2fb5;--focus:#0757b8}
        @media(prefers-color-scheme:dark){:root{--paper:#12161b;--ink:#e4e8ed;--soft:#9aa5b1;--line:#39424d;
        --band:#1d232b;--good:#5bd17c;--bad:#ff8a84;--warn:#eab54a;--sent:#6db3ff;--heard:#5bd17c;--message:#cf9bff;
        --focus:#6db3ff}}
        *{box-sizing:border-box}
        body{margin:0 auto;max-width:75rem;padding:1rem;background:var(--paper);color:var(--ink);
        font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
        h1{font-size:1.6rem;margin:.2rem 0}h2{font-size:1.3rem;margin:2rem 0 0}h3{font-size:1.1rem;margin:0 0 .3rem}
        h4{font-size:1rem;margin:1.3rem 0 .3rem}
        header p,.facts,.more,.key,.title{color:var(--soft)}
        p{margin:.3rem 0}.key,.more,.facts,.title{font-size:.875rem}
        a{color:var(--focus)}
        :focus-visible{outline:2px solid var(--focus);outline-offset:2px}
        section{border-top:1px solid var(--line);margin-top:1.2rem;padding-top:1.2rem}
        .wide{overflow-x:auto;max-width:100%}
        table{border-collapse:collapse;font-size:.9rem;min-width:50%}
        caption{text-align:left;color:var(--soft);padding:.2rem 0}
        th,td{text-align:left;vertical-align:top;padding:.3rem .7rem .3rem 0;border-bottom:1px solid var(--line);
        font-weight:400;overflow-wrap:normal}
        thead th{font-weight:600;white-space:nowrap}
        tbody th{min-width:9rem;overflow-wrap:anywhere}
        .number{font-variant-numeric:tabular-nums;white-space:nowrap}
        .title{display:block}
        .verdict{font-weight:600;white-space:nowrap}
        .verdict.passed{color:var(--good)}.verdict.blocked{color:var(--warn)}
        .verdict.failed,.verdict.dead,.verdict.bad,.verdict.broken{color:var(--bad)}
        pre,code{font:.85rem/1.45 ui-monospace,monospace}
        pre{background:var(--band);padding:.7rem;margin:.5rem 0;width:max-content;min-width:100%}
        ol.plain{font-size:.875rem;padding-left:2.4rem}
        summary{cursor:pointer;padding:.3rem 0}
        .bars{width:100%}.bars td:last-child{width:50%}
        .bar{height:.8rem;margin-top:.35rem;background:var(--sent);border-radius:2px}
        .hidden{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
        .lanes{display:flex}
        .names{flex:none;padding-right:.6rem;font-size:.8rem;max-width:7rem}
        .names div{height:26px;line-height:26px;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
        svg{display:block}svg text{fill:var(--ink);font:12px system-ui,sans-serif}
        svg .mark{fill:var(--soft);font-size:11px}svg .small{font-size:12px}svg .strong{font-weight:600}
        svg .label{text-anchor:middle;font-size:13px}svg .end{text-anchor:end}
        svg .halo{paint-order:stroke;stroke:var(--paper);stroke-width:4px}
        .lane,.life{stroke:var(--line)}.life{stroke-dasharray:2 3}.band{fill:var(--band)}
        .frame .tick{stroke:var(--soft);stroke-width:1.5}.step .tick{stroke:var(--ink);stroke-width:2}
        .link .tick{stroke:var(--warn);stroke-width:2}
        .message rect,.spot{fill:var(--message)}.sent rect,.start{fill:var(--sent)}.heard circle{fill:var(--heard)}
        .missed .cross{stroke:var(--bad);stroke-width:1.5}.fault .cross,.noise .cross{stroke:var(--warn);stroke-width:2.5}
        .arrow{fill:none;stroke:var(--sent);stroke-width:1.5}.arrow.lost{stroke:var(--bad);stroke-dasharray:4 3}
        .mesh{width:100%;max-width:30rem}.node{fill:var(--sent)}.edge{stroke:var(--soft);stroke-width:1.5}
        .edge.lost{stroke:var(--bad);stroke-dasharray:4 3}
        @media print{.wide{overflow:visible}section{break-inside:avoid}}
        """
}
