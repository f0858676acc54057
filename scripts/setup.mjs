// Makes a checkout ready to run: installs packages and builds what is stale. It runs on any Node from 20 on with
// nothing installed, so it is plain JavaScript without dependencies. When nothing is to do it says nothing.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Markers of an installation without the tests' needs, and of one without builders. */
const TO_RUN = "to run";
const PRODUCTION = "production";
/** Packages whose needs are installed to run; those of the others and of the root are for tests. */
const running = ["server", "dashboard", "help", "tracker"].map((name) => `packages/${name}`);

/** Parts that are built from sources of this repository; a build writes `output`. One that is not there is left out. */
const builtParts = [
	{
		name: "the tracker",
		sources: ["src", "footfall.d.ts", "build.mjs", "package.json"].map((name) => `packages/tracker/${name}`),
		output: "packages/tracker/dist/tracker.js",
		build: "packages/tracker/build.mjs",
	},
	{
		name: "the dashboard",
		sources: [
			...["src", "public", "index.html", "vite.config.ts", "one-language.ts", "smaller-parts.ts", "build.mjs"],
			"package.json",
		].map((name) => `packages/dashboard/${name}`),
		output: "packages/dashboard/dist/index.html",
		build: "packages/dashboard/build.mjs",
	},
	{
		name: "the client of the API",
		sources: ["src", "tsconfig.build.json", "build.mjs", "package.json"].map((name) => `packages/client/${name}`),
		output: "packages/client/dist/index.js",
		build: "packages/client/build.mjs",
		isForTests: true,
	},
	{
		name: "the help",
		sources: [
			...["src", "build.mjs", "package.json"].map((name) => `packages/help/${name}`),
			...["docs", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "packages/dashboard/src/ui/tokens.css"],
		],
		output: "packages/help/dist/built",
		build: "packages/help/build.mjs",
	},
];

/** Installs when the lockfile is not the one that `node_modules` was made from, or with `toRun` what running from a checkout needs. */
export function installIsStale(root, { toRun = false } = {}) {
	const stamp = stampOf(root);
	const wanted = lockHash(root);
	if (stamp === wanted || (toRun && stamp === `${wanted} ${TO_RUN}`)) return false;
	return !matchesLock(root) || remember(root, wanted);
}

const stampFile = (root) => join(root, "node_modules/.footfall-lock");
const stampOf = (root) => (existsSync(stampFile(root)) ? readFileSync(stampFile(root), "utf8") : undefined);

const lockHash = (root) =>
	createHash("sha256")
		.update(`${process.platform} ${process.arch}\n`)
		.update(readFileSync(join(root, "package-lock.json")))
		.digest("hex");

function remember(root, hash) {
	writeFileSync(stampFile(root), hash);
	return false;
}

/** After an `npm install` by hand everything is in place already: npm keeps what it installed in a lockfile of its own. */
function matchesLock(root) {
	const hidden = join(root, "node_modules/.package-lock.json");
	if (!existsSync(hidden)) return false;
	const installed = JSON.parse(readFileSync(hidden, "utf8")).packages;
	const wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
	return Object.entries(wanted).every(([path, entry]) => {
		if (!path.includes("node_modules/")) return true;
		const found = installed[path];
		return found ? found.version === entry.version : entry.optional === true;
	});
}

/** True when a source, or a folder that lost or gained one, is newer than the built file. */
export function partIsStale(root, part) {
	const output = join(root, part.output);
	if (!existsSync(output)) return true;
	const built = statSync(output).mtimeMs;
	return part.sources.some((source) => newest(join(root, source)) > built);
}

function newest(path) {
	if (!existsSync(path)) return 0;
	const found = statSync(path);
	if (!found.isDirectory()) return found.mtimeMs;
	return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

/** `level` is what is left out: nothing when absent. */
function install(root, level) {
	const began = Date.now();
	if (level === PRODUCTION) console.log("Footfall: leaving what running needs …");
	else console.log("Footfall: installing packages (once, about half a minute) …");
	// Takes the locked versions as `npm ci` does, without a fresh start when most of them are there.
	const args = ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"];
	if (level === PRODUCTION) args.push("--omit=dev");
	if (level === TO_RUN) args.push(...running.flatMap((name) => ["--workspace", name]));
	const cli = process.env.npm_execpath;
	const [command, first] = cli?.endsWith("npm-cli.js") ? [process.execPath, [cli]] : ["npm", []];
	run(command, [...first, ...args], root, "The installation failed");
	if (!existsSync(join(root, "node_modules/.bin/node"))) {
		console.error(`No Node build for ${process.platform} ${process.arch} could be installed.`);
		process.exit(1);
	}
	remember(root, level === undefined ? lockHash(root) : `${lockHash(root)} ${level}`);
	console.log(`Footfall: packages installed in ${Math.round((Date.now() - began) / 1000)} s.`);
}

function build(root, part) {
	// The builders want a younger Node than setting up needs.
	run(join(root, "node_modules/.bin/node"), [join(root, part.build)], root, `Building ${part.name} failed`);
	console.log(`Footfall: built ${part.name}.`);
}

function run(command, args, root, failure) {
	const result = spawnSync(command, args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
	if (result.status === 0) return;
	if (result.status === 127) console.error("Node 26 wants libatomic: on Debian and Ubuntu, apt-get install libatomic1");
	console.error(`${failure}:\n${result.stdout ?? ""}${result.stderr ?? result.error?.message ?? ""}`);
	process.exit(1);
}

/** True when `setup.mjs --production` has left the packages of this lockfile that running needs. */
export const isProductionReady = (root) => stampOf(root) === `${lockHash(root)} ${PRODUCTION}`;

const staleParts = (root, { toRun }) =>
	builtParts.filter(
		(part) => !(toRun && part.isForTests) && existsSync(join(root, part.build)) && partIsStale(root, part),
	);

/**
 * Does everything that is due. With `toRun` it leaves out what only tests need; with `production` the packages that builds need are gone
 * afterwards, too.
 */
function setUp(root, { production, toRun }) {
	if (Number(process.versions.node.split(".")[0]) < 20) {
		console.error(`Footfall needs Node 20 or later to start; this is ${process.version}.`);
		process.exit(1);
	}
	const mustBuild = staleParts(root, { toRun }).length > 0;
	if (production && !mustBuild && isProductionReady(root)) return;
	// Builders are among what production does without.
	if (!production || mustBuild) buildAll(root, { toRun });
	if (production) install(root, PRODUCTION);
}

function buildAll(root, { toRun }) {
	if (installIsStale(root, { toRun })) install(root, toRun ? TO_RUN : undefined);
	for (const part of staleParts(root, { toRun })) build(root, part);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const [production, toRun] = ["--production", "--to-run"].map((option) => process.argv.includes(option));
	setUp(fileURLToPath(new URL("..", import.meta.url)), { production, toRun: production || toRun });
}
