#!/usr/bin/env node
// Runs the binary in this process's place, as far as Node can.
"use strict";

const { spawnSync } = require("node:child_process");
const { findBinary } = require("../lib/binary.js");

let binary;
try {
  binary = findBinary();
} catch (error) {
  console.error(`codelinter: error: ${error.message}`);
  process.exit(2);
}
const result = spawnSync(binary, process.argv.slice(2), { stdio: "inherit", windowsHide: true });
if (result.error) {
  console.error(`codelinter: error: ${binary}: ${result.error.message}`);
  process.exit(2);
}
if (result.signal) {
  process.kill(process.pid, result.signal);
}
process.exit(result.status);
