// Builds the package into `dist`: `npm pack` runs it.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

rmSync(at("dist"), { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [at("../../node_modules/.bin/tsc"), "-p", at("tsconfig.build.json")], {
	stdio: "inherit",
});
if (status !== 0) process.exit(1);
// The compiler writes the names of modules anew in scripts alone.
for (const name of readdirSync(at("dist")).filter((file) => file.endsWith(".d.ts"))) {
	const text = readFileSync(at(`dist/${name}`), "utf8");
	writeFileSync(at(`dist/${name}`), text.replaceAll(/(from "\.\/[\w.-]+)\.ts"/g, '$1.js"'));
}
