// Bundles the main.ts of a folder into one script, the same bytes on every machine: node build.mjs FOLDER TARGET.
// The first line of the bundle has the SHA-256 of its sources, so that a test without Node.js can tell whether it is up to date.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const tools = dirname(fileURLToPath(import.meta.url));
const [folder, target] = process.argv.slice(2).map((path) => resolve(path));

const sources = readdirSync(folder).filter((name) => name.endsWith(".ts"));
const hash = createHash("sha256");
for (const name of sources.sort()) {
  hash.update(`${name}\0`).update(readFileSync(join(folder, name))).update("\0");
}
for (const name of ["build.mjs", "package-lock.json"]) {
  hash.update(`${name}\0`).update(readFileSync(join(tools, name))).update("\0");
}

const bundle = await build({
  absWorkingDir: folder,
  entryPoints: ["main.ts"],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "ascii",
  legalComments: "none",
  write: false,
});
const script = `/* sources: sha256 ${hash.digest("hex")} */\n${bundle.outputFiles[0].text}`;
if (/<\/script|<!--/i.test(script)) {
  throw new Error("expected no </script and no <!-- in the bundle: it is part of a page");
}
writeFileSync(target, script);
