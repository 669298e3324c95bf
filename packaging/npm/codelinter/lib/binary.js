// Which binary this machine runs. Each system has a package of its own, of which
// npm installs the one whose "os" and "cpu" fit.
"use strict";

const path = require("node:path");

/**
 * Returns the path of the binary: CODELINTER_BINARY if it is set, else that of the
 * package for this system. Throws an Error that says what is missing.
 *
 * @returns {string}
 */
function findBinary() {
  if (process.env.CODELINTER_BINARY) {
    return process.env.CODELINTER_BINARY;
  }
  const name = `@codelinter/${process.platform}-${process.arch}`;
  const { optionalDependencies } = require("../package.json");
  if (!(name in optionalDependencies)) {
    const known = Object.keys(optionalDependencies).map((one) => one.replace("@codelinter/", ""));
    throw new Error(`expected one of ${known.join(", ")}, found ${process.platform}-${process.arch}`);
  }
  try {
    return path.join(
      path.dirname(require.resolve(`${name}/package.json`)),
      process.platform === "win32" ? "codelinter.exe" : "codelinter",
    );
  } catch {
    throw new Error(`${name} is not installed: install codelinter again, and without --omit=optional`);
  }
}

module.exports = { findBinary };
