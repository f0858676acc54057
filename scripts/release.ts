// Makes the files of a release: `npm run release -- 0.2.0`. The files to publish are in dist/release then; nothing
// leaves the machine, and committing is left to you.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./lib/root.ts";
import { packAll } from "./release/pack.ts";
import { changesOf, setVersion } from "./release/versions.ts";

function refuse(reason: string): never {
	console.error(reason);
	process.exit(1);
}

const [version = ""] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) refuse("Say which version: npm run release -- 1.2.3");
const changed = execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" });
if (changed !== "") refuse(`These files are not committed:\n${changed}`);
if (changesOf(readFileSync(join(root, "CHANGELOG.md"), "utf8"), version) === undefined) {
	refuse(`CHANGELOG.md has no section "## ${version}" that says what changed`);
}
setVersion(root, version);
const { server, tracker } = await packAll(root, join(root, "dist/release"));
console.log(`Packed ${server.path}\nPacked ${tracker.path}

What follows:
  npm run release:check
  git commit -am "Version ${version}" && git tag v${version}
  npm publish ${server.path}
  npm publish ${tracker.path}
  docker build -f deploy/Dockerfile -t footfall:${version} .`);
