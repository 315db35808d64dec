// Bundles src/main.ts into one script, the same bytes on every machine.
// The first line of the bundle has the SHA-256 of its sources, so that a test without Node.js can tell whether it is up to date.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const folder = dirname(fileURLToPath(import.meta.url));
const target = process.argv[2] ?? join(folder, "../src/errata/report/page/assets/page.js");

const sources = readdirSync(join(folder, "src"))
  .filter((name) => name.endsWith(".ts"))
  .map((name) => `src/${name}`);
const hash = createHash("sha256");
for (const name of [...sources, "build.mjs", "package-lock.json"].sort()) {
  hash.update(`${name}\0`).update(readFileSync(join(folder, name))).update("\0");
}

const bundle = await build({
  absWorkingDir: folder,
  entryPoints: ["src/main.ts"],
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
