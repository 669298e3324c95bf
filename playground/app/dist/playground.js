// Made by `make page` of sources with the digest c4b4b93ee82b0d0319519d0019c9abb9.
"use strict";(()=>{function z(e,t,...n){for(let[r,o]of Object.entries(t))typeof o=="function"?e.addEventListener(r.slice(2),o):o===!0?e.setAttribute(r,""):o!==!1&&o!==null&&o!==void 0&&e.setAttribute(r,String(o));return e.
append(...n.filter(r=>r!=null&&r!==!1)),e}var m=(e,t={},...n)=>z(document.createElement(e),t,...n);var $=new Set("False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with y\
ield".split(" ")),Q=2e5,S=new RegExp([/(?<comment>#[^\n]*)/,/(?<triple>(?<![\p{L}\p{N}_])[rbuft]{0,2}(?:"""|'''))/u,/(?<string>(?<![\p{L}\p{N}_])[rbuft]{0,2}(?:"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?))/u,
/(?<decorator>(?<=^[ \t]*)@[ \t]*[\p{L}_][\p{L}\p{N}_.]*)/u,/(?<name>[\p{L}_][\p{L}\p{N}_]*)/u,/(?<number>\d(?:[\da-z_.]|(?<=e)[+-])*)/].map(e=>e.source).join("|"),"gimu");function N(e){let t=[];if(e.
length>Q)return t;let n="";S.lastIndex=0;for(let r;r=S.exec(e);){let{comment:o,triple:s,string:d,decorator:i,name:c}=r.groups??{},l=r.index+r[0].length,u=o?"comment":d?"string":i?"decorator":c?"":"lit\
eral";if(s){u="string";let g=s.slice(-3);for(;;){let h=e.indexOf(g,l);if(h<0){l=e.length;break}let b=/\\*$/.exec(e.slice(Math.max(l,h-200),h))[0].length;if(l=h+(b%2?1:3),b%2===0)break}S.lastIndex=l}else
c&&($.has(c)?u="keyword":(n==="def"||n==="class")&&(u="defined"),n=c);u&&t.push([r.index,l,u]),l===r.index&&S.lastIndex++}return t}var k=["auto","light","dark"],j="codelinter-theme";function X(){try{let e=localStorage.getItem(j);return k.find(t=>t===e)??"auto"}catch{return"auto"}}function R(e){e==="auto"?delete document.documentElement.
dataset.theme:document.documentElement.dataset.theme=e}function F(){let e=X();R(e);let t={auto:"◐",light:"☀",dark:"☾"},n=m("button",{type:"button",class:"theme"}),r=()=>{n.textContent=t[e]+" "+e,
n.setAttribute("aria-label","Theme: "+e),n.title="Colours: "+(e==="auto"?"those of the system":e)};return n.addEventListener("click",()=>{e=k[(k.indexOf(e)+1)%k.length];try{localStorage.setItem(j,e)}catch{}
R(e),r()}),r(),n}var T=[{name:"A first look",state:{code:`import os, sys
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
`}}];var a=e=>document.getElementById(e),f=a("code"),x=a("program"),E=a("paint"),Y=a("numbers"),v=a("share"),Z=5e4,ee=5e5,p=[],M=-1,H,_=e=>JSON.parse(codelinter(JSON.stringify(e))),B=[...document.querySelectorAll(
"[data-option]")];function te(){let e={};for(let t of B){let n=t.dataset.option,r=t.value.trim();t.removeAttribute("aria-invalid"),t instanceof HTMLSelectElement?t.selectedIndex!==t.length-1&&(e[n]=r):
t.type==="checkbox"?t.checked&&(e[n]=!0):r!==""&&(t.dataset.kind==="list"?e[n]=r.split(/[\s,]+/).filter(Boolean):/^-?\d{1,9}$/.test(r)?e[n]=Number(r):t.setAttribute("aria-invalid","true"))}return e}function D(e){
for(let t of B){let n=e?.[t.dataset.option];t instanceof HTMLSelectElement?t.value=[...t.options].some(r=>r.value===n)?String(n):t.options[t.length-1].value:t.type==="checkbox"?t.checked=n===!0:t.value=
n===void 0?"":String(n)}}function V(){let e={code:f.value},t=te();return Object.keys(t).length&&(e.options=t),x.value&&(e.program=x.value),e}function O(e){f.value=typeof e.code=="string"?e.code:"",x.value=
typeof e.program=="string"?e.program:"",D(e.options),a("against").open=x.value!=="",a("examples").value=""}var I=async(e,t)=>new Uint8Array(await new Response(new Blob([e]).stream().pipeThrough(t)).arrayBuffer());
async function ne(e){let t=await I(new TextEncoder().encode(JSON.stringify(e)),new CompressionStream("deflate-raw")),n="";for(let r of t)n+=String.fromCharCode(r);return btoa(n).replaceAll("+","-").replaceAll(
"/","_").replace(/=+$/,"")}var q=e=>Uint8Array.from(atob(e),t=>t.charCodeAt(0));async function P(e){let t=q(e.replaceAll("-","+").replaceAll("_","/")),n=JSON.parse(new TextDecoder().decode(await I(t,new DecompressionStream(
"deflate-raw"))));if(n===null||typeof n!="object"||typeof n.code!="string")throw new Error("no code");return n}function w(e){a("problem").textContent=e,a("problem").hidden=!e}var K="The address is dam\
aged: what it carried cannot be read.",G={get(){try{return JSON.parse(localStorage.getItem("codelinter")??"null")}catch{return null}},set(e){try{localStorage.setItem("codelinter",JSON.stringify(e))}catch{}}};
function re(e,t){let n=[],[r,o]=[0,0];for(let s of t){for(;o<s&&r<e.length;){let d=e.codePointAt(r);o+=d<128?1:d<2048?2:d<65536?3:4,r+=d<65536?1:2}n.push(r)}return n}function oe(e,t){let n=[...new Set(
t.flatMap(o=>[o.start,o.end]))].sort((o,s)=>o-s),r=new Map(re(e,n).map((o,s)=>[n[s],o]));return t.map(o=>({...o,from:r.get(o.start)??0,to:r.get(o.end)??0}))}function U(e){if(e.length>ee){E.replaceChildren(
e+`
`);return}let t=N(e),n=0,r=(i,c,l)=>{for(;n<t.length&&t[n][0]<c;n++){let[u,g,h]=t[n],[b,C]=[Math.max(u,i),Math.min(g,c)];if(b<C&&l.append(e.slice(i,b),m("span",{class:h},e.slice(b,C))),i=Math.max(i,C),
g>c)break}l.append(e.slice(i,c))},o=document.createDocumentFragment(),s=0,d=p.map(({from:i,to:c},l)=>({from:i,to:c,i:l})).sort((i,c)=>i.from-c.from||c.to-i.to);for(let{from:i,to:c,i:l}of d){if(i<s)continue;
let u=e.indexOf(`
`,i),g=u>=0&&u<c?u:c;r(s,i,o);let h=m("mark",{class:(g>i?"":"empty ")+(l===M?"here":"")});r(i,g,h),o.append(h),s=Math.max(g,i)}r(s,e.length,o),o.append(`
`),E.replaceChildren(o)}function se(e){let t=new Set(p.map(s=>s.row)),n=[],r="",o=1;for(let s=e.indexOf(`
`);s>=0;s=e.indexOf(`
`,s+1))o++;for(let s=1;s<=o;s++)t.has(s)?(n.push(r,m("b",{},String(s))),r=`
`):r+=s+`
`;Y.replaceChildren(...n,r)}function ae(e){a("findings").replaceChildren(...p.map((t,n)=>m("li",{},m("button",{type:"button",title:"Go there",onclick:()=>J(n)},t.row+":"+t.column),m("button",{type:"bu\
tton",class:"rule",title:"What is this?",onclick:()=>ce(t.code)},t.code),m("span",{},t.message)))),a("count").textContent=e===0?"No findings":e===1?"1 finding":e.toLocaleString("en")+" findings",a("mo\
re").hidden=e===p.length,a("more").textContent="and "+(e-p.length).toLocaleString("en")+" more"}function ie(e){if(a("verdict").hidden=!e,!e)return;let t=(r,o,s="")=>[m("dt",{},r),m("dd",{class:s},o)],
n=[...t("Official",e.official?"pass":"fail",e.official?"pass":"fail"),...t("Findings",e.fixed+" fixed, "+e.left+" left, "+e.introduced+" introduced")];e.program?n.push(...t("Program",e.program,"unknow\
n")):e.reasons.length?n.push(...t("Guards",e.reasons.join("; "),"fail")):n.push(...t("Guards","none refuses it","pass"),...e.sameTree?t("Logic","the same tree","pass"):t("Logic","not the same tree: bo\
th have to be run","unknown")),a("verdict").replaceChildren(...n)}function y(){clearTimeout(H);let e=V(),t=_({...e});if(t.error)return w(t.error);w(""),M=-1,p=oe(e.code,t.findings),ae(t.found),U(e.code),
se(e.code),ie(t.verdict);let n=Object.keys(e.options??{}).length;a("changed").textContent=n?"("+n+" changed)":"",G.set(e)}function L(){if(f.value.length+x.value.length<=Z)return y();clearTimeout(H),E.
textContent=f.value+`
`,H=setTimeout(y,200)}function J(e){let t=p[e];t&&(M=e,U(f.value),[...a("findings").children].forEach((n,r)=>{r===e?n.setAttribute("aria-current","true"):n.removeAttribute("aria-current")}),a("finding\
s").children[e].scrollIntoView({block:"nearest"}),f.focus({preventScroll:!0}),f.setSelectionRange(t.from,Math.max(t.to,t.from)),(E.querySelector("mark.here")??E).scrollIntoView({block:"center",inline:"\
nearest"}))}function le(e){if(!p.length)return;let t=p.map((r,o)=>o).sort((r,o)=>p[r].from-p[o].from||r-o),n=t.indexOf(M);n<0?(n=t.findIndex(r=>p[r].from>=f.selectionStart),n=e>0?Math.max(n,0):(n<0?t.
length:n)-1):n+=e,J(t[(n+t.length)%t.length])}var W=e=>e.split(/(`[^`]+`)/).map(t=>t.length>2&&t.startsWith("`")?m("code",{},t.slice(1,-1)):t.replaceAll("**",""));function ce(e){let t=_({rule:e});a("r\
ule-title").textContent=t.title||e;let n=[],r=(t.markdown||t.error||"").split(`
`);for(let o=0;o<r.length;o++){let s=r[o];if(s.startsWith("```")){let d=o+1;for(;d<r.length&&!r[d].startsWith("```");)d++;let i=r.slice(o+1,d).join(`
`),c=m("pre",{tabindex:0}),l=0;for(let[u,g,h]of N(i))c.append(i.slice(l,u),m("span",{class:h},i.slice(u,g))),l=g;c.append(i.slice(l)),n.push(c),o=d}else if(s.startsWith("## "))n.push(m("h3",{},s.slice(
3)));else{if(s.startsWith("# ")||s.trim()==="")continue;{let d=o+1,i=/^[-*] /.test(s);for(;d<r.length&&r[d].trim()!==""&&!/^([-*] |#|```)/.test(r[d]);)d++;let c=r.slice(o,d).map(l=>l.trim()).join(" ");
i?(n.at(-1)?.tagName!=="UL"&&n.push(m("ul")),n.at(-1)?.append(m("li",{class:"item"},...W(c.slice(2))))):n.push(m("p",{},...W(c))),o=d-1}}}t.linter&&n.push(m("p",{class:"aside"},"A rule of "+t.linter+"\
.")),a("rule-text").replaceChildren(...n),a("rule").showModal()}async function de(){let e=new Go,t=await I(q((a("wasm").textContent??"").trim()),new DecompressionStream("gzip"));a("wasm").remove();let{
instance:n}=await WebAssembly.instantiate(t,e.importObject);e.run(n).then(()=>w("The linter has ended. Load the page again."));let{version:r="",releases:o=[],targets:s=[]}=_({});a("version").textContent=
r;let d=l=>l.map(u=>m("option",{value:u},u));a("release").replaceChildren(...d(o)),a("target").replaceChildren(...d(s));let i=G.get()??T[0].state;if(location.hash.length>1)try{i=await P(location.hash.
slice(1))}catch{i={code:""},queueMicrotask(()=>w(K))}O(i),y(),v.disabled=!1,f.addEventListener("input",L),x.addEventListener("input",L),a("options").addEventListener("input",L),a("reset").addEventListener(
"click",()=>{D({}),y()});let c=a("examples");c.append(...T.map(({name:l},u)=>m("option",{value:u},l))),c.addEventListener("change",()=>{let{value:l}=c,u=l===""?void 0:T[Number(l)];u&&(history.replaceState(
null,"",location.href.split("#")[0]),O(u.state),y(),c.value=l,f.setSelectionRange(0,0),a("editor").scrollTo(0,0))}),addEventListener("hashchange",()=>{P(location.hash.slice(1)).then(l=>{O(l),y()},()=>w(
K))})}var A=!1;f.addEventListener("keydown",e=>{e.key==="Escape"?A=!0:e.key!=="Tab"?A=!1:!A&&!e.shiftKey&&!e.ctrlKey&&!e.altKey&&!e.metaKey&&(e.preventDefault(),document.execCommand("insertText",!1," \
   ")||(f.setRangeText("    ",f.selectionStart,f.selectionEnd,"end"),L()))});f.addEventListener("blur",()=>{A=!1});addEventListener("keydown",e=>{e.key==="F8"&&!a("rule").open&&(e.preventDefault(),le(
e.shiftKey?-1:1))});v.addEventListener("click",async()=>{history.replaceState(null,"","#"+await ne(V()));try{await navigator.clipboard.writeText(location.href),v.textContent="Copied"}catch{v.textContent=
"In the address bar"}setTimeout(()=>{v.textContent="Copy link"},2e3)});document.querySelector("header")?.append(F());de().catch(e=>{a("count").textContent="",w("The linter did not start: "+e.message+"\
. It needs a browser with WebAssembly and DecompressionStream, as all have since 2023.")});})();
