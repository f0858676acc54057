// Checks that take too long for every `npm test`: installs the packed files from the registry on an empty home, runs
// them, opens data of the release before, and installs a checkout for production. `npm run release:check`.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runService } from "../packages/server/test/support/service-process.ts";
import { root } from "./lib/root.ts";
import { firstFigure, versionIn } from "./release/first-figure.ts";
import { npm } from "./release/npm.ts";
import { packAll } from "./release/pack.ts";

/** Disk limit of an installation, MB as counted by `du -m`. */
const LIMIT_MB = 800;
/** Variables that a computer's access to package registries may need. */
const line = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy"];

const folder = mkdtempSync(join(tmpdir(), "footfall-release-"));
const home = join(folder, "home");
mkdirSync(home);
// The Node and the npm of this machine, and not those of the checkout.
const path = (process.env.PATH ?? "").split(":").filter((part) => !part.includes("node_modules"));
const env = {
	...Object.fromEntries(line.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))),
	PATH: path.join(":"),
	HOME: home,
};

async function step<T>(name: string, work: () => T | Promise<T>): Promise<T> {
	const from = performance.now();
	const result = await work();
	console.log(`${name.padEnd(84)} ${((performance.now() - from) / 1000).toFixed(1).padStart(6)} s`);
	return result;
}

const megabytes = (of: string) => Number(execFileSync("du", ["-sm", of], { encoding: "utf8" }).split("\t")[0]);

function checkSize(what: string, of: string): void {
	const size = megabytes(of);
	console.log(`  ${what}: ${size} MB of at most ${LIMIT_MB}`);
	assert.ok(size < LIMIT_MB, `${what} takes ${size} MB`);
}

/** The data directory that release 0.1.0 wrote, opened by an installed program. */
async function openOld(program: string): Promise<void> {
	const data = join(folder, "old-data");
	mkdirSync(data);
	const fixture = join(root, "packages/server/test/fixtures/release-0.1.0/data.tar.gz");
	execFileSync("tar", ["-xzf", fixture, "-C", data]);
	const service = runService(["start"], { ...env, DATA_DIR: data, RUNTIME_DIRECTORY: data }, program);
	try {
		const health = (await (await fetch(`${await service.listening}/health`)).json()) as { status: string };
		assert.equal(health.status, "healthy");
	} finally {
		service.child.kill("SIGTERM");
		assert.equal(await service.ended, 0);
	}
}

function productionCheckout(): string {
	const checkout = join(folder, "checkout");
	execFileSync("git", ["clone", "--quiet", root, checkout]);
	const done = spawnSync("node", ["scripts/setup.mjs", "--production"], { cwd: checkout, env, encoding: "utf8" });
	assert.equal(done.status, 0, done.stdout + done.stderr);
	return checkout;
}

try {
	console.log(`node ${execFileSync("node", ["--version"], { env, encoding: "utf8" }).trim()} of this machine`);
	const packed = await step("packed", () => packAll(root, join(folder, "packed")));
	const global = join(folder, "global");
	await step("npm install -g, with an empty home", () =>
		npm(["install", "-g", "--prefix", global, packed.server.path], folder, env),
	);
	checkSize("installed", join(global, "lib"));
	const program = join(global, "bin/footfall");
	const version = execFileSync(program, ["--version"], { env, encoding: "utf8" }).trim();
	assert.equal(version, versionIn(join(root, "package.json")));
	await step("from the first start to the first figure", async () =>
		assert.equal(await firstFigure(program, join(folder, "data"), env), 1),
	);
	await step("what release 0.1.0 wrote is opened", () => openOld(program));
	await step("npx", () => {
		const ran = execFileSync("npx", ["--yes", "--package", packed.server.path, "footfall", "--version"], {
			cwd: folder,
			env,
			encoding: "utf8",
		});
		assert.equal(ran.trim(), version);
	});
	const checkout = await step("a checkout, set up for production", productionCheckout);
	console.log(`  checkout with its packages: ${megabytes(checkout)} MB`);
	await step("from the first start to the first figure, in the checkout", async () =>
		assert.equal(await firstFigure(join(checkout, "footfall"), join(folder, "checkout-data"), env), 1),
	);
	await step("npm ci --omit=dev takes the lockfile", () => npm(["ci", "--omit=dev"], checkout, env));
	console.log("Everything holds.");
} finally {
	rmSync(folder, { recursive: true, force: true });
}
