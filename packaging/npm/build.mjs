// build.mjs DIST OUT: makes the npm packages of a release from the binaries that goreleaser left in DIST (which its artifacts.json lists), as tarballs in
// OUT: codelinter, and @codelinter/SYSTEM-CPU for each system, which codelinter names as optional dependencies. Needs npm. Publish OUT/*.tgz, codelinter's
// last, so that nobody installs it before the binaries are there.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [dist, out] = process.argv.slice(2).map((path) => resolve(path));
if (!out) {
  console.error("usage: build.mjs DIST OUT");
  process.exit(2);
}
const here = dirname(fileURLToPath(import.meta.url));
const checkout = join(here, "..", "..");
const systems = { linux: "linux", darwin: "darwin", windows: "win32" };
const processors = { amd64: "x64", arm64: "arm64" };

const { version } = JSON.parse(readFileSync(join(dist, "metadata.json"), "utf8"));
const common = { version, license: "MIT" };
const scratch = mkdtempSync(join(tmpdir(), "codelinter-npm-"));

/** Packs a folder under scratch into OUT. */
function pack(folder, description) {
  writeFileSync(join(folder, "package.json"), JSON.stringify(description, null, 2) + "\n");
  for (const name of ["LICENSE", "NOTICE", "THIRD_PARTY_LICENSES"]) {
    copyFileSync(join(checkout, name), join(folder, name));
  }
  execFileSync("npm", ["pack", "--silent", "--pack-destination", out], { cwd: folder, stdio: "inherit" });
}

try {
  mkdirSync(out, { recursive: true });
  const optionalDependencies = {};
  const binaries = JSON.parse(readFileSync(join(dist, "artifacts.json"), "utf8")).filter((a) => a.type === "Binary");
  for (const { goos, goarch, path } of binaries) {
    const [system, processor] = [systems[goos], processors[goarch]];
    if (!system || !processor) {
      throw new Error(`${path}: expected a system that npm knows, found ${goos}/${goarch}`);
    }
    const name = `@codelinter/${system}-${processor}`;
    const folder = join(scratch, `${system}-${processor}`);
    const binary = system === "win32" ? "codelinter.exe" : "codelinter";
    mkdirSync(folder);
    copyFileSync(join(dirname(dist), path), join(folder, binary));
    chmodSync(join(folder, binary), 0o755);
    pack(folder, {
      name,
      ...common,
      description: `The binary of codelinter for ${system} on ${processor}`,
      os: [system],
      cpu: [processor],
      preferUnplugged: true, // Yarn keeps packages zipped, and what is zipped cannot be run
    });
    optionalDependencies[name] = version;
  }
  if (binaries.length === 0) {
    throw new Error(`${dist}/artifacts.json: expected binaries, found none`);
  }
  const folder = join(scratch, "codelinter");
  cpSync(join(here, "codelinter"), folder, { recursive: true });
  pack(folder, {
    name: "codelinter",
    ...common,
    description: "Lints Python exactly as flake8 does, without Python",
    keywords: ["python", "linter", "flake8", "codelintereval"],
    engines: { node: ">=18" },
    bin: { codelinter: "bin/codelinter.js" },
    main: "lib/binary.js",
    types: "lib/binary.d.ts",
    files: ["bin", "lib", "LICENSE", "NOTICE", "THIRD_PARTY_LICENSES"],
    optionalDependencies,
  });
} finally {
  rmSync(scratch, { recursive: true });
}
