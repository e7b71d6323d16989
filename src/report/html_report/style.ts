/** How the page looks: one column of text, light or dark as the reader's system is, and on paper. */
import { darkRules } from "../figures/palette.ts";

/** The whole style sheet. */
export const style = `
:root{color-scheme:light dark;--ink:#1f2933;--soft:#52606d;--faint:#cbd2d9;--ground:#fff;
--panel:#f5f7fa;--main:#0b5cad;--warn:#9a3412;--warnground:#fff7ed;
--sans:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
--serif:Charter,"Bitstream Charter","Sitka Text",Cambria,Georgia,serif;
--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
@media screen and (prefers-color-scheme:dark){:root{--ink:#e4e7eb;--soft:#a8b3be;--faint:#3e4c59;
--ground:#12181f;--panel:#1c242d;--main:#6cb2f7;--warn:#fdba74;--warnground:#2a1d12}
${darkRules(".picture ")}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--ink);font:1.0625rem/1.6 var(--serif);
overflow-wrap:break-word;font-variant-numeric:lining-nums}
main,header,footer{max-width:44rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:3rem}
h1{font:700 2.1rem/1.2 var(--sans);letter-spacing:-.015em;margin:0 0 .6rem;text-wrap:balance}
h2{font:650 1.45rem/1.3 var(--sans);letter-spacing:-.01em;margin:3.2rem 0 .8rem;
padding-top:1.2rem;border-top:1px solid var(--faint);text-wrap:balance}
h3{font:600 1.08rem/1.4 var(--sans);margin:2rem 0 .4rem}
p,ul,ol{margin:.7rem 0}
ul,ol{padding-left:1.3rem}
li{margin:.3rem 0}
a{color:var(--main);text-underline-offset:.15em}
.asked{font-size:1.15rem;color:var(--soft);margin:0 0 1rem}
.facts{font:.875rem/1.5 var(--sans);color:var(--soft)}
nav{font:.9375rem/1.9 var(--sans);margin:1.4rem 0 0;padding:.6rem 0;
border-top:1px solid var(--faint);border-bottom:1px solid var(--faint)}
nav a{margin-right:1.1rem;text-decoration:none;white-space:nowrap;display:inline-block}
nav a:hover{text-decoration:underline}
.lead{font-size:1.2rem;line-height:1.55}
.lead p{margin:.8rem 0}
.how{color:var(--soft);font-size:.97rem}
figure{margin:1rem 0 1.4rem}
figcaption{font:.875rem/1.5 var(--sans);color:var(--soft);margin-top:.3rem}
.picture svg{display:block;max-width:100%;height:auto}
.picture text{font-family:var(--sans)}
.picture .phone{display:none}
.wide{overflow-x:auto;margin:.8rem 0}
table{border-collapse:collapse;font:.9rem/1.45 var(--sans);font-variant-numeric:tabular-nums}
th,td{padding:.32rem 1.1rem .32rem 0;text-align:left;vertical-align:top;
border-bottom:1px solid var(--faint)}
th{font-weight:600;color:var(--soft)}
.n{text-align:right;white-space:nowrap}
th.n{white-space:normal}
code,pre{font-family:var(--mono);font-size:.86em}
pre{background:var(--panel);padding:.9rem 1rem;overflow-x:auto;border-radius:6px;line-height:1.5;
margin:.5rem 0;tab-size:4}
details{margin:.7rem 0}
summary{cursor:pointer;font:500 .9375rem/1.5 var(--sans);color:var(--main)}
.code{position:relative}
.code pre{padding-top:2.7rem}
.code button{position:absolute;top:.45rem;right:.45rem;font:500 .8125rem var(--sans);
color:var(--ink);background:var(--ground);border:1px solid var(--faint);border-radius:5px;
padding:.3rem .65rem;cursor:pointer}
.code button:hover,.code button:focus-visible{border-color:var(--main);color:var(--main)}
.warning{border-left:4px solid var(--warn);background:var(--warnground);padding:.7rem 1rem;
margin:.9rem 0;border-radius:0 6px 6px 0}
.warning p{margin:.25rem 0}
.warning .decide{font:500 .95rem/1.5 var(--sans)}
.missing{border:1px dashed var(--faint);padding:.7rem 1rem;border-radius:6px;color:var(--soft)}
footer{padding:2rem 1.25rem 4rem;color:var(--soft);font:.875rem/1.5 var(--sans)}
@media (max-width:700px){
body{font-size:1rem}
main,header,footer{padding-left:1.15rem;padding-right:1.15rem}
header{padding-top:1.6rem}
h1{font-size:1.65rem}
h2{font-size:1.3rem;margin-top:2.4rem}
.lead{font-size:1.1rem}
.picture .page{display:none}
.picture .phone{display:block}
td,th{padding-right:.8rem}
}
@media print{
:root{color-scheme:light;--ink:#000;--soft:#444;--faint:#bbb;--ground:#fff;--panel:#f6f6f6;
--main:#0b5cad;--warn:#9a3412;--warnground:#fff}
@page{margin:18mm 16mm}
body{font-size:10.5pt}
main,header,footer{max-width:none;padding:0}
nav,.code button{display:none}
.picture .page{display:block}
.picture .phone{display:none}
.picture svg{max-width:150mm}
figure,.warning,tr{break-inside:avoid}
h2,h3,summary{break-after:avoid}
pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid #ccc}
.wide{overflow:visible}
a{color:inherit;text-decoration:none}
}
`;
