"use strict";
// The page asks the linter after each change of a text or an option, in place: a program of a few pages takes a millisecond. Its state, which an
// address can carry, is {code, options, program}.
(() => {
  const at = (id) => document.getElementById(id);
  const [code, program, marks, numbers] = ["code", "program", "marks", "numbers"].map(at);
  const example = `import os, sys
def greet(name, punctuation = "!"):
    message="Hello, %s" % name
    if punctuation != None:
        message+=punctuation
    return  message

print(greet("world"))
`;
  const slow = 50_000; // characters, beyond which a pause in typing is waited for
  const mostMarked = 500_000;
  let findings = [];
  let current = -1;
  let timer;

  const ask = (request) => JSON.parse(codelinter(JSON.stringify(request)));

  // make("li", {className: "a"}, "text", child): an element.
  const make = (name, properties, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };

  // State.
  const fields = () => [...document.querySelectorAll("[data-option]")];
  const readOptions = () => {
    const options = {};
    for (const field of fields()) {
      const { option, kind } = field.dataset;
      const value = field.value.trim();
      field.removeAttribute("aria-invalid");
      if (field.type === "checkbox") {
        if (field.checked) options[option] = true;
      } else if (field.tagName === "SELECT") {
        if (field.selectedIndex !== field.length - 1) options[option] = value;
      } else if (value !== "") {
        if (kind === "list") options[option] = value.split(/[\s,]+/).filter(Boolean);
        else if (/^-?\d{1,9}$/.test(value)) options[option] = Number(value);
        else field.setAttribute("aria-invalid", "true");
      }
    }
    return options;
  };
  const writeOptions = (options) => {
    for (const field of fields()) {
      const value = options?.[field.dataset.option];
      if (field.type === "checkbox") field.checked = value === true;
      else if (field.tagName === "SELECT") field.value = [...field.options].some((o) => o.value === value) ? value : field.options[field.length - 1].value;
      else field.value = value === undefined ? "" : String(value);
    }
  };
  const state = () => {
    const s = { code: code.value };
    const options = readOptions();
    if (Object.keys(options).length) s.options = options;
    if (program.value) s.program = program.value;
    return s;
  };
  const restore = (s) => {
    code.value = typeof s.code === "string" ? s.code : "";
    program.value = typeof s.program === "string" ? s.program : "";
    writeOptions(s.options);
    at("against").open = program.value !== "";
  };

  // An address carries the state after #, as deflated JSON in base64url.
  const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
  const pack = async (s) => {
    const bytes = await through(new TextEncoder().encode(JSON.stringify(s)), new CompressionStream("deflate-raw"));
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  };
  const unbase64 = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const unpack = async (text) => {
    const bytes = unbase64(text.replaceAll("-", "+").replaceAll("_", "/"));
    const s = JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
    if (s === null || typeof s !== "object" || typeof s.code !== "string") throw new Error("no code");
    return s;
  };
  const problem = (text) => {
    at("problem").textContent = text;
    at("problem").hidden = !text;
  };
  const kept = { // what was typed last, for the next visit; a page that is a file may not keep anything
    get: () => { try { return JSON.parse(localStorage.getItem("codelinter")); } catch { return null; } },
    set: (s) => { try { localStorage.setItem("codelinter", JSON.stringify(s)); } catch { /* not kept */ } },
  };

  // Findings have offsets in bytes of UTF-8, a text of JavaScript in units of UTF-16. offsets returns those of the ascending byte offsets.
  const offsets = (text, bytes) => {
    const units = [];
    let unit = 0, byte = 0;
    for (const wanted of bytes) {
      while (byte < wanted && unit < text.length) {
        const point = text.codePointAt(unit);
        byte += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
        unit += point < 0x10000 ? 1 : 2;
      }
      units.push(unit);
    }
    return units;
  };
  const locate = (text) => {
    const wanted = [...new Set(findings.flatMap((f) => [f.start, f.end]))].sort((a, b) => a - b);
    const units = new Map(offsets(text, wanted).map((unit, i) => [wanted[i], unit]));
    for (const f of findings) [f.from, f.to] = [units.get(f.start), units.get(f.end)];
  };

  const showMarks = (text) => {
    const pieces = document.createDocumentFragment();
    let done = 0;
    if (text.length <= mostMarked) {
      const spans = findings.map((f, i) => ({ from: f.from, to: f.to, i })).sort((a, b) => a.from - b.from || b.to - a.to);
      for (const { from, to, i } of spans) {
        if (from < done) continue; // within another mark
        const end = text.slice(from, to).includes("\n") ? text.indexOf("\n", from) : to;
        pieces.append(text.slice(done, from), make("mark", { className: (end > from ? "" : "empty ") + (i === current ? "here" : "") }, text.slice(from, end)));
        done = Math.max(end, from);
      }
    }
    pieces.append(text.slice(done) + "\n");
    marks.replaceChildren(pieces);
  };
  const showNumbers = (text) => {
    const wrong = new Set(findings.map((f) => f.row));
    const pieces = [];
    let plain = "";
    let lines = 1;
    for (let i = text.indexOf("\n"); i >= 0; i = text.indexOf("\n", i + 1)) lines++;
    for (let line = 1; line <= lines; line++) {
      if (wrong.has(line)) {
        pieces.push(plain, make("b", {}, String(line)));
        plain = "\n";
      } else plain += line + "\n";
    }
    numbers.replaceChildren(...pieces, plain);
  };
  const showFindings = (reply) => {
    at("findings").replaceChildren(...findings.map((f, i) => make("li", {},
      make("button", { type: "button", title: "Go there", onclick: () => go(i) }, `${f.row}:${f.column}`),
      make("button", { type: "button", className: "rule", title: "What is this?", onclick: () => explain(f.code) }, f.code),
      make("span", {}, f.message))));
    at("count").textContent = reply.found === 0 ? "No findings" : reply.found === 1 ? "1 finding" : `${reply.found.toLocaleString("en")} findings`;
    at("more").hidden = reply.found === findings.length;
    at("more").textContent = `and ${(reply.found - findings.length).toLocaleString("en")} more`;
  };
  const showVerdict = (v) => {
    at("verdict").hidden = !v;
    if (!v) return;
    const row = (name, text, kind) => [make("dt", {}, name), make("dd", { className: kind || "" }, text)];
    const rows = [
      ...row("Official", v.official ? "pass" : "fail", v.official ? "pass" : "fail"),
      ...row("Findings", `${v.fixed} fixed, ${v.left} left, ${v.introduced} introduced`),
    ];
    if (v.program) rows.push(...row("Program", v.program, "unknown"));
    else if (v.reasons.length) rows.push(...row("Guards", v.reasons.join("; "), "fail"));
    else rows.push(...row("Guards", "none refuses it", "pass"), ...(v.sameTree ? row("Logic", "the same tree", "pass") : row("Logic", "not the same tree: both have to be run", "unknown")));
    at("verdict").replaceChildren(...rows);
  };

  const lint = () => {
    clearTimeout(timer);
    const s = state();
    const reply = ask(s);
    if (reply.error) return problem(reply.error);
    problem("");
    findings = reply.findings;
    current = -1;
    const text = s.code;
    locate(text);
    showFindings(reply);
    showMarks(text);
    showNumbers(text);
    showVerdict(reply.verdict);
    const n = Object.keys(s.options ?? {}).length;
    at("changed").textContent = n ? `(${n} changed)` : "";
    kept.set(s);
  };
  const changed = () => {
    // The text that is being typed shows at once; what is found in it, when it is known.
    if (code.value.length + program.value.length <= slow) return lint();
    clearTimeout(timer);
    marks.textContent = code.value + "\n";
    timer = setTimeout(lint, 200);
  };

  // go shows a finding at its place.
  const go = (i) => {
    if (!findings[i]) return;
    current = i;
    showMarks(code.value);
    [...at("findings").children].forEach((li, k) => {
      if (k === i) li.setAttribute("aria-current", "true"); else li.removeAttribute("aria-current");
    });
    at("findings").children[i].scrollIntoView({ block: "nearest" });
    code.focus({ preventScroll: true });
    code.setSelectionRange(findings[i].from, Math.max(findings[i].to, findings[i].from));
    const mark = marks.querySelector("mark.here");
    (mark ?? marks).scrollIntoView({ block: "center", inline: "nearest" });
  };
  const next = (step) => {
    if (!findings.length) return;
    const order = findings.map((f, i) => i).sort((a, b) => findings[a].from - findings[b].from || a - b);
    let k = order.indexOf(current);
    if (k < 0) {
      k = order.findIndex((i) => findings[i].from >= code.selectionStart);
      k = step > 0 ? (k < 0 ? 0 : k) : (k < 0 ? order.length : k) - 1;
    } else k += step;
    go(order[(k + order.length) % order.length]);
  };

  // explain shows the page of a rule, whose Markdown is headings, paragraphs, lists, fences and code.
  const inline = (text) => text.split(/(`[^`]+`)/).map((piece) => piece.length > 2 && piece.startsWith("`") ? make("code", {}, piece.slice(1, -1)) : piece.replaceAll("**", ""));
  const explain = (name) => {
    const reply = ask({ rule: name });
    at("rule-title").textContent = reply.title || name;
    const blocks = [];
    const lines = (reply.markdown || reply.error || "").split("\n");
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i];
      if (line.startsWith("```")) {
        let end = i + 1;
        while (end < lines.length && !lines[end].startsWith("```")) end++;
        blocks.push(make("pre", { tabIndex: 0 }, lines.slice(i + 1, end).join("\n")));
        i = end;
      } else if (line.startsWith("## ")) blocks.push(make("h3", {}, line.slice(3)));
      else if (line.startsWith("# ") || line.trim() === "") continue;
      else {
        let end = i + 1;
        const item = /^[-*] /.test(line);
        while (end < lines.length && lines[end].trim() !== "" && !/^([-*] |#|```)/.test(lines[end])) end++;
        const text = lines.slice(i, end).map((l) => l.trim()).join(" ");
        if (item) {
          if (blocks.at(-1)?.tagName !== "UL") blocks.push(make("ul", {}));
          blocks.at(-1).append(make("li", { style: "display: list-item; border: 0" }, ...inline(text.slice(2))));
        } else blocks.push(make("p", {}, ...inline(text)));
        i = end - 1;
      }
    }
    if (reply.linter) blocks.push(make("p", { className: "aside" }, `A rule of ${reply.linter}.`));
    at("rule-text").replaceChildren(...blocks);
    at("rule").showModal();
  };

  const start = async () => {
    const go = new Go();
    const bytes = await through(unbase64(at("wasm").textContent.trim()), new DecompressionStream("gzip"));
    at("wasm").remove();
    const { instance } = await WebAssembly.instantiate(bytes, go.importObject);
    go.run(instance).then(() => problem("The linter has ended. Load the page again."));

    const { version, releases, targets } = ask({});
    at("version").textContent = version;
    at("release").replaceChildren(...releases.map((release) => make("option", { value: release }, release)));
    at("target").replaceChildren(...targets.map((target) => make("option", { value: target }, target)));
    let first = kept.get() ?? { code: example };
    if (location.hash.length > 1) {
      try {
        first = await unpack(location.hash.slice(1));
      } catch {
        first = { code: "" };
        queueMicrotask(() => problem("The address is damaged: what it carried cannot be read."));
      }
    }
    restore(first);
    lint();
    at("share").disabled = false;
    code.addEventListener("input", changed);
    program.addEventListener("input", changed);
    at("options").addEventListener("input", changed);
    at("reset").addEventListener("click", () => { writeOptions({}); lint(); });
    addEventListener("hashchange", async () => {
      try {
        restore(await unpack(location.hash.slice(1)));
        lint();
      } catch {
        problem("The address is damaged: what it carried cannot be read.");
      }
    });
  };

  let leaving = false; // Esc was pressed: Tab goes on to the next control
  code.addEventListener("keydown", (event) => {
    if (event.key === "Escape") leaving = true;
    else if (event.key !== "Tab") leaving = false;
    else if (!leaving && !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey) {
      event.preventDefault();
      if (!document.execCommand("insertText", false, "    ")) { // which can be undone
        code.setRangeText("    ", code.selectionStart, code.selectionEnd, "end");
        changed();
      }
    }
  });
  code.addEventListener("blur", () => { leaving = false; });
  addEventListener("keydown", (event) => {
    if (event.key === "F8" && !at("rule").open) {
      event.preventDefault();
      next(event.shiftKey ? -1 : 1);
    }
  });
  at("share").addEventListener("click", async () => {
    const button = at("share");
    history.replaceState(null, "", "#" + await pack(state()));
    try {
      await navigator.clipboard.writeText(location.href);
      button.textContent = "Copied";
    } catch {
      button.textContent = "In the address bar";
    }
    setTimeout(() => { button.textContent = "Copy link"; }, 2000);
  });
  start().catch((error) => {
    at("count").textContent = "";
    problem(`The linter did not start: ${error.message}. It needs a browser with WebAssembly and DecompressionStream, as all have since 2023.`);
  });
})();
