  // Elements. What models and tasks' authors wrote becomes text nodes and attributes;
  // nothing is parsed as HTML.

  const at = (id) => document.getElementById(id);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const count = (n, noun) => n.toLocaleString("en") + " " + noun + (n === 1 ? "" : "s");

  function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (value === true) element.setAttribute(name, "");
      else if (value !== false && value !== null) element.setAttribute(name, value);
    }
    element.append(...children.filter((child) => child !== null));
    return element;
  }
  const make = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
  const draw = (tag, attributes, ...children) => fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

  // size is a number of bytes for people.
  function size(bytes) {
    if (bytes < 1000) return count(bytes, "byte");
    return bytes < 1e6 ? (bytes / 1e3).toFixed(1) + " kB" : (bytes / 1e6).toFixed(1) + " MB";
  }
