// Made by `make page` of sources with the digest f3d4ed0c418a30ddd7fb38fa3b29bb60.
"use strict";(()=>{function Y(e,t,...n){for(let[r,o]of Object.entries(t))typeof o=="function"?e.addEventListener(r.slice(2),o):o===!0?e.setAttribute(r,""):o!==!1&&o!==null&&o!==void 0&&e.setAttribute(r,String(o));return e.
append(...n.filter(r=>r!=null&&r!==!1)),e}var f=(e,t={},...n)=>Y(document.createElement(e),t,...n);var Z=new Set("False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with y\
ield".split(" ")),ee=2e5,E=new RegExp([/(?<comment>#[^\n]*)/,/(?<triple>(?<![\p{L}\p{N}_])[rbuft]{0,2}(?:"""|'''))/u,/(?<string>(?<![\p{L}\p{N}_])[rbuft]{0,2}(?:"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?))/u,
/(?<decorator>(?<=^[ \t]*)@[ \t]*[\p{L}_][\p{L}\p{N}_.]*)/u,/(?<name>[\p{L}_][\p{L}\p{N}_]*)/u,/(?<number>\d(?:[\da-z_.]|(?<=e)[+-])*)/].map(e=>e.source).join("|"),"gimu");function _(e){let t=[];if(e.
length>ee)return t;let n="";E.lastIndex=0;for(let r;r=E.exec(e);){let{comment:o,triple:s,string:d,decorator:i,name:c}=r.groups??{},l=r.index+r[0].length,u=o?"comment":d?"string":i?"decorator":c?"":"li\
teral";if(s){u="string";let g=s.slice(-3);for(;;){let h=e.indexOf(g,l);if(h<0){l=e.length;break}let y=/\\*$/.exec(e.slice(Math.max(l,h-200),h))[0].length;if(l=h+(y%2?1:3),y%2===0)break}E.lastIndex=l}else
c&&(Z.has(c)?u="keyword":(n==="def"||n==="class")&&(u="defined"),n=c);u&&t.push([r.index,l,u]),l===r.index&&E.lastIndex++}return t}var S=["auto","light","dark"],P="codelinter-theme";function te(){try{let e=localStorage.getItem(P);return S.find(t=>t===e)??"auto"}catch{return"auto"}}function j(e){e==="auto"?delete document.documentElement.
dataset.theme:document.documentElement.dataset.theme=e}function B(){let e=te();j(e);let t={auto:"◐",light:"☀",dark:"☾"},n=f("button",{type:"button",class:"theme"}),r=()=>{n.textContent=t[e]+" "+
e,n.setAttribute("aria-label","Theme: "+e),n.title="Colours: "+(e==="auto"?"those of the system":e)};return n.addEventListener("click",()=>{e=S[(S.indexOf(e)+1)%S.length];try{localStorage.setItem(P,e)}catch{}
j(e),r()}),r(),n}var T=[{name:"A first look",state:{code:`import os, sys
def greet(name, punctuation = "!"):
    message="Hello, %s" % name
    if punctuation != None:
        message+=punctuation
    return  message

print(greet("world"))
`}},{name:"Names and imports",state:{code:`from os.path import *
import json
import json


def load(path):
    with open(path) as file:
        data = json.load(file)
        size = len(data)
    return [row for row in dat]


def load(path):
    global cache
    return f"nothing to fill in"


__all__ = ["load", "save"]
`}},{name:"Indentation and blank lines",state:{code:`class Account:

    def __init__(self, owner, balance = 0):
      self.owner = owner
      self.balance = balance
    def deposit(self, amount):
        self.balance += amount; return self.balance



    def report(self):
        return "{} has {} left".format(self.owner,
                self.balance)
account = Account("Ann")
if account.balance == None or not "A" in account.owner: print("odd")
`}},{name:"Not Python",state:{code:`def area(width, height:
    return width * height


print(area(2, 3))
`}},{name:"Too complex",state:{code:`def kind(n):
    if n < 0:
        return "negative"
    elif n == 0:
        return "zero"
    for divisor in range(2, n):
        if n % divisor == 0:
            if divisor == 2:
                return "even"
            return "composite"
    return "prime" if n > 1 else "one"
`,options:{"max-complexity":5}}},{name:"An answer and its program",state:{code:`def mean(values):
    if not values:
        return None
    return sum(values) / len(values)
`,program:`def mean(values):
    if not values : return None
    return sum(values)/len(values)
`}},{name:"A wrong answer",state:{code:`def average(values):
    return sum(values) / len(values)
`,program:`def mean(values):
    if not values : return None
    return sum(values)/len(values)
`}}];var a=e=>document.getElementById(e),m=a("code"),x=a("program"),v=a("paint"),ne=a("numbers"),k=a("share"),M=a("fix"),re=5e4,oe=5e5,p=[],N=-1,R,O=e=>JSON.parse(codelinter(JSON.stringify(e))),V=[...document.
querySelectorAll("[data-option]")];function q(){let e={};for(let t of V){let n=t.dataset.option,r=t.value.trim();t.removeAttribute("aria-invalid"),t instanceof HTMLSelectElement?t.selectedIndex!==t.length-
1&&(e[n]=r):t.type==="checkbox"?t.checked&&(e[n]=!0):r!==""&&(t.dataset.kind==="list"?e[n]=r.split(/[\s,]+/).filter(Boolean):/^-?\d{1,9}$/.test(r)?e[n]=Number(r):t.setAttribute("aria-invalid","true"))}
return e}function G(e){for(let t of V){let n=e?.[t.dataset.option];t instanceof HTMLSelectElement?t.value=[...t.options].some(r=>r.value===n)?String(n):t.options[t.length-1].value:t.type==="checkbox"?
t.checked=n===!0:t.value=n===void 0?"":String(n)}}function U(){let e={code:m.value},t=q();return Object.keys(t).length&&(e.options=t),x.value&&(e.program=x.value),e}function I(e){m.value=typeof e.code==
"string"?e.code:"",x.value=typeof e.program=="string"?e.program:"",G(e.options),a("against").open=x.value!=="",a("examples").value=""}var F=async(e,t)=>new Uint8Array(await new Response(new Blob([e]).
stream().pipeThrough(t)).arrayBuffer());async function se(e){let t=await F(new TextEncoder().encode(JSON.stringify(e)),new CompressionStream("deflate-raw")),n="";for(let r of t)n+=String.fromCharCode(
r);return btoa(n).replaceAll("+","-").replaceAll("/","_").replace(/=+$/,"")}var J=e=>Uint8Array.from(atob(e),t=>t.charCodeAt(0));async function K(e){let t=J(e.replaceAll("-","+").replaceAll("_","/")),
n=JSON.parse(new TextDecoder().decode(await F(t,new DecompressionStream("deflate-raw"))));if(n===null||typeof n!="object"||typeof n.code!="string")throw new Error("no code");return n}function b(e){a("\
problem").textContent=e,a("problem").hidden=!e}var W="The address is damaged: what it carried cannot be read.",z={get(){try{return JSON.parse(localStorage.getItem("codelinter")??"null")}catch{return null}},
set(e){try{localStorage.setItem("codelinter",JSON.stringify(e))}catch{}}};function ae(e,t){let n=[],[r,o]=[0,0];for(let s of t){for(;o<s&&r<e.length;){let d=e.codePointAt(r);o+=d<128?1:d<2048?2:d<65536?
3:4,r+=d<65536?1:2}n.push(r)}return n}function ie(e,t){let n=[...new Set(t.flatMap(o=>[o.start,o.end]))].sort((o,s)=>o-s),r=new Map(ae(e,n).map((o,s)=>[n[s],o]));return t.map(o=>({...o,from:r.get(o.start)??
0,to:r.get(o.end)??0}))}function $(e){if(e.length>oe){v.replaceChildren(e+`
`);return}let t=_(e),n=0,r=(i,c,l)=>{for(;n<t.length&&t[n][0]<c;n++){let[u,g,h]=t[n],[y,H]=[Math.max(u,i),Math.min(g,c)];if(y<H&&l.append(e.slice(i,y),f("span",{class:h},e.slice(y,H))),i=Math.max(i,H),
g>c)break}l.append(e.slice(i,c))},o=document.createDocumentFragment(),s=0,d=p.map(({from:i,to:c},l)=>({from:i,to:c,i:l})).sort((i,c)=>i.from-c.from||c.to-i.to);for(let{from:i,to:c,i:l}of d){if(i<s)continue;
let u=e.indexOf(`
`,i),g=u>=0&&u<c?u:c;r(s,i,o);let h=f("mark",{class:(g>i?"":"empty ")+(l===N?"here":"")});r(i,g,h),o.append(h),s=Math.max(g,i)}r(s,e.length,o),o.append(`
`),v.replaceChildren(o)}function le(e){let t=new Set(p.map(s=>s.row)),n=[],r="",o=1;for(let s=e.indexOf(`
`);s>=0;s=e.indexOf(`
`,s+1))o++;for(let s=1;s<=o;s++)t.has(s)?(n.push(r,f("b",{},String(s))),r=`
`):r+=s+`
`;ne.replaceChildren(...n,r)}function ce(e){a("findings").replaceChildren(...p.map((t,n)=>f("li",{},f("button",{type:"button",title:"Go there",onclick:()=>Q(n)},t.row+":"+t.column),f("button",{type:"b\
utton",class:"rule",title:"What is this?",onclick:()=>me(t.code)},t.code),f("span",{},t.message)))),a("count").textContent=e===0?"No findings":e===1?"1 finding":e.toLocaleString("en")+" findings",a("m\
ore").hidden=e===p.length,a("more").textContent="and "+(e-p.length).toLocaleString("en")+" more"}function de(e){if(a("verdict").hidden=!e,!e)return;let t=(r,o,s="")=>[f("dt",{},r),f("dd",{class:s},o)],
n=[...t("Official",e.official?"pass":"fail",e.official?"pass":"fail"),...t("Findings",e.fixed+" fixed, "+e.left+" left, "+e.introduced+" introduced")];e.program?n.push(...t("Program",e.program,"unknow\
n")):e.reasons.length?n.push(...t("Guards",e.reasons.join("; "),"fail")):n.push(...t("Guards","none refuses it","pass"),...e.sameTree?t("Logic","the same tree","pass"):t("Logic","not the same tree: bo\
th have to be run","unknown")),a("verdict").replaceChildren(...n)}function w(){clearTimeout(R);let e=U(),t=O({...e});if(t.error)return b(t.error);b(""),N=-1,p=ie(e.code,t.findings),ce(t.found),$(e.code),
le(e.code),de(t.verdict);let n=Object.keys(e.options??{}).length;a("changed").textContent=n?"("+n+" changed)":"",z.set(e)}function L(){if(m.value.length+x.value.length<=re)return w();clearTimeout(R),v.
textContent=m.value+`
`,R=setTimeout(w,200)}function Q(e){let t=p[e];t&&(N=e,$(m.value),[...a("findings").children].forEach((n,r)=>{r===e?n.setAttribute("aria-current","true"):n.removeAttribute("aria-current")}),a("finding\
s").children[e].scrollIntoView({block:"nearest"}),m.focus({preventScroll:!0}),m.setSelectionRange(t.from,Math.max(t.to,t.from)),(v.querySelector("mark.here")??v).scrollIntoView({block:"center",inline:"\
nearest"}))}function ue(e){if(!p.length)return;let t=p.map((r,o)=>o).sort((r,o)=>p[r].from-p[o].from||r-o),n=t.indexOf(N);n<0?(n=t.findIndex(r=>p[r].from>=m.selectionStart),n=e>0?Math.max(n,0):(n<0?t.
length:n)-1):n+=e,Q(t[(n+t.length)%t.length])}function X(e){document.execCommand("insertText",!1,e)||(m.setRangeText(e,m.selectionStart,m.selectionEnd,"end"),L())}function C(e,t){let n=e.dataset.label??=
e.textContent??"";e.textContent=t,setTimeout(()=>{e.textContent=n},2e3)}function fe(){let e=m.value,t=O({code:e,options:q(),fix:!0}),n=t.code;if(n===void 0)return b(t.error??"");if(n===e)return C(M,"N\
othing to fix");let r=Math.min(e.length,n.length),[o,s]=[0,0];for(;o<r&&e[o]===n[o];)o++;for(o=e.lastIndexOf(`
`,o-1)+1;s<r-o&&e.at(-1-s)===n.at(-1-s);)s++;let d=e.indexOf(`
`,e.length-s);s=d<0?0:e.length-d,m.focus({preventScroll:!0}),m.setSelectionRange(o,e.length-s),X(n.slice(o,n.length-s)),C(M,"Fixed")}var D=e=>e.split(/(`[^`]+`)/).map(t=>t.length>2&&t.startsWith("`")?
f("code",{},t.slice(1,-1)):t.replaceAll("**",""));function me(e){let t=O({rule:e});a("rule-title").textContent=t.title||e;let n=[],r=(t.markdown||t.error||"").split(`
`);for(let o=0;o<r.length;o++){let s=r[o];if(s.startsWith("```")){let d=o+1;for(;d<r.length&&!r[d].startsWith("```");)d++;let i=r.slice(o+1,d).join(`
`),c=f("pre",{tabindex:0}),l=0;for(let[u,g,h]of _(i))c.append(i.slice(l,u),f("span",{class:h},i.slice(u,g))),l=g;c.append(i.slice(l)),n.push(c),o=d}else if(s.startsWith("## "))n.push(f("h3",{},s.slice(
3)));else{if(s.startsWith("# ")||s.trim()==="")continue;{let d=o+1,i=/^[-*] /.test(s);for(;d<r.length&&r[d].trim()!==""&&!/^([-*] |#|```)/.test(r[d]);)d++;let c=r.slice(o,d).map(l=>l.trim()).join(" ");
i?(n.at(-1)?.tagName!=="UL"&&n.push(f("ul")),n.at(-1)?.append(f("li",{class:"item"},...D(c.slice(2))))):n.push(f("p",{},...D(c))),o=d-1}}}t.linter&&n.push(f("p",{class:"aside"},"A rule of "+t.linter+"\
.")),a("rule-text").replaceChildren(...n),a("rule").showModal()}async function pe(){let e=new Go,t=await F(J((a("wasm").textContent??"").trim()),new DecompressionStream("gzip"));a("wasm").remove();let{
instance:n}=await WebAssembly.instantiate(t,e.importObject);e.run(n).then(()=>b("The linter has ended. Load the page again."));let{version:r="",releases:o=[],targets:s=[]}=O({});a("version").textContent=
r;let d=l=>l.map(u=>f("option",{value:u},u));a("release").replaceChildren(...d(o)),a("target").replaceChildren(...d(s));let i=z.get()??T[0].state;if(location.hash.length>1)try{i=await K(location.hash.
slice(1))}catch{i={code:""},queueMicrotask(()=>b(W))}I(i),w(),k.disabled=M.disabled=!1,m.addEventListener("input",L),x.addEventListener("input",L),a("options").addEventListener("input",L),a("reset").addEventListener(
"click",()=>{G({}),w()});let c=a("examples");c.append(...T.map(({name:l},u)=>f("option",{value:u},l))),c.addEventListener("change",()=>{let{value:l}=c,u=l===""?void 0:T[Number(l)];u&&(history.replaceState(
null,"",location.href.split("#")[0]),I(u.state),w(),c.value=l,m.setSelectionRange(0,0),a("editor").scrollTo(0,0))}),addEventListener("hashchange",()=>{K(location.hash.slice(1)).then(l=>{I(l),w()},()=>b(
W))})}var A=!1;m.addEventListener("keydown",e=>{e.key==="Escape"?A=!0:e.key!=="Tab"?A=!1:!A&&!e.shiftKey&&!e.ctrlKey&&!e.altKey&&!e.metaKey&&(e.preventDefault(),X("    "))});m.addEventListener("blur",
()=>{A=!1});addEventListener("keydown",e=>{e.key==="F8"&&!a("rule").open&&(e.preventDefault(),ue(e.shiftKey?-1:1))});k.addEventListener("click",async()=>{history.replaceState(null,"","#"+await se(U()));
try{await navigator.clipboard.writeText(location.href),C(k,"Copied")}catch{C(k,"In the address bar")}});M.addEventListener("click",fe);document.querySelector("header")?.append(B());pe().catch(e=>{a("c\
ount").textContent="",b("The linter did not start: "+e.message+". It needs a browser with WebAssembly and DecompressionStream, as all have since 2023.")});})();
