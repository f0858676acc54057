import assert from "node:assert/strict";
import { chmodSync, chownSync, mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { cli } from "../../test/support/cli.ts";
import { newDirectory } from "../../test/support/new-directory.ts";
import { lockDirectory } from "../platform/files/lock-directory.ts";
import { announceService } from "../platform/files/running-services.ts";

const root = realpathSync(newDirectory());
const password = "correct horse battery staple 7";
const ann = ["users", "create", "--email", "ann@example.com", "--name", "Ann", "--superadmin", "--password-stdin"];

/** A folder of its own, in which a command is called. */
function folder(name: string): string {
	const path = join(root, name);
	mkdirSync(path, { recursive: true });
	return path;
}

const home = folder("home");
const dataDir = join(home, "data");
/** Where services note that they run; empty for those who see none. */
const nobodyRuns = { RUNTIME_DIRECTORY: join(root, "none") };
before(async () => {
	const made = await cli(ann, { cwd: home, env: nobodyRuns, input: password });
	assert.equal(made.code, 0, made.error);
});

test("a command that finds no data says so and makes none; only the first user makes a new directory", async () => {
	const empty = folder("empty");
	const error = `There is no Footfall data in ${empty}/data: set DATA_DIR to its directory, or run \`footfall start\` to create one\n`;
	for (const args of ["users list", "sites list", "migrate", "spool status", "jobs"]) {
		const printed = await cli(args.split(" "), { cwd: empty, env: nobodyRuns });
		assert.deepEqual(printed, { code: 1, error, out: "" }, args);
	}
	assert.deepEqual(readdirSync(empty), []);
	assert.deepEqual(readdirSync(home), ["data"]);
});

test("without DATA_DIR the command says which directory it uses; a directory that is named is not repeated", async () => {
	const here = await cli(["users", "list"], { cwd: home, env: nobodyRuns });
	assert.deepEqual([here.code, here.error], [0, `Data: ${dataDir}\n`]);
	const named = await cli(["users", "list"], { cwd: root, env: { ...nobodyRuns, DATA_DIR: dataDir } });
	assert.deepEqual([named.code, named.error], [0, ""]);
});

test("settings come from .env beside the data, or from --env-file; the environment wins over both", async () => {
	const port = async (cwd: string, args: readonly string[] = [], env = {}) =>
		/^PORT=(.*)$/m.exec((await cli([...args, "config"], { cwd, env: { ...nobodyRuns, ...env } })).out)?.[1];
	const cwd = folder("with-file");
	writeFileSync(join(cwd, ".env"), "PORT=4001\nDATA_DIR=../home/data\n");
	const other = join(folder("elsewhere"), "stats.env");
	writeFileSync(other, "PORT=4002\n");
	assert.equal(await port(cwd), "4001");
	assert.equal(await port(cwd, ["--env-file", other]), "4002");
	assert.equal(await port(cwd, [], { PORT: "4003" }), "4003");
	// A directory in a file lies beside the file, wherever the command is called.
	const list = await cli(["users", "list", "--env-file", join(cwd, ".env")], { cwd: root, env: nobodyRuns });
	assert.deepEqual([list.code, list.error], [0, `Settings: ${cwd}/.env\nData: ${dataDir}\n`]);
	const missing = await cli(["users", "list", "--env-file", "none.env"], { cwd, env: nobodyRuns });
	assert.equal(missing.error, `The settings in ${cwd}/none.env cannot be read (ENOENT)\n`);
});

test("names that look like settings and are none get a line each", async () => {
	const cwd = folder("misspelt");
	writeFileSync(join(cwd, ".env"), "DATADIR=/x\nGREETING=hello\nLOG_LEVEL=warn\n");
	const env = { ...nobodyRuns, FOOTFALL_PORT: "3", TRUST_PROXI: "true", EDITOR: "vi", HOSTS: "1" };
	const { error } = await cli(["config"], { cwd, env });
	assert.deepEqual(error.trim().split("\n"), [
		`Settings: ${cwd}/.env`,
		"FOOTFALL_PORT is no setting of Footfall; did you mean PORT?",
		"TRUST_PROXI is no setting of Footfall; did you mean TRUST_PROXY?",
		"DATADIR is no setting of Footfall; did you mean DATA_DIR?",
		"GREETING is no setting of Footfall",
	]);
});

/** Takes a directory, and tells commands that see `env` of it, as a service does that runs there. */
async function serve(dataDir: string, env: Readonly<Record<string, string>>, needs: readonly string[] = []) {
	const lock = await lockDirectory(dataDir);
	const address = "http://127.0.0.1:4321";
	const remove = announceService({ dataDir, roles: [], address, rootUrl: address, needs }, env);
	return { address, kill: lock.release, end: () => [remove(), lock.release()] };
}

test("a command finds the service that runs, wherever it is called, and gives out its address", async () => {
	const seen = { RUNTIME_DIRECTORY: join(root, "run") };
	const service = await serve(dataDir, seen);
	const cwd = folder("far-away");
	const created = await cli(["sites", "create", "--name", "Shop", "--json"], { cwd, env: seen });
	assert.deepEqual([created.code, created.error], [0, `Data: ${dataDir}\n`]);
	assert.ok(JSON.parse(created.out).script_tag.includes(`src="${service.address}/t.js?id=shop"`), created.out);
	const link = join(root, "link");
	symlinkSync(dataDir, link);
	const checked = await cli(["config", "check"], { cwd, env: { ...seen, DATA_DIR: link } });
	assert.doesNotMatch(checked.out, /No service is running on it/);
	const second = await serve(join(root, "second"), seen);
	const unsure = await cli(["sites", "list"], { cwd, env: seen });
	assert.match(unsure.error, /^Several services run here: set DATA_DIR to one of their directories: /);
	second.kill();
	assert.equal((await cli(["sites", "list"], { cwd, env: seen })).code, 0, "a killed service is none");
	service.end();
	assert.equal((await cli(["sites", "list"], { cwd, env: seen })).code, 1);
	assert.deepEqual(readdirSync(cwd), []);
});

test("a command believes no service that another user announces, or could", async (t) => {
	const seen = { RUNTIME_DIRECTORY: folder("run-of-another") };
	const service = await serve(dataDir, seen);
	t.after(() => service.end());
	const cwd = folder("elsewhere");
	const list = async () => (await cli(["sites", "list"], { cwd, env: seen })).code;
	chmodSync(seen.RUNTIME_DIRECTORY, 0o770);
	assert.equal(await list(), 1, "others can write there");
	chmodSync(seen.RUNTIME_DIRECTORY, 0o755);
	assert.equal(await list(), 0);
	if (process.getuid?.() !== 0) return;
	chownSync(seen.RUNTIME_DIRECTORY, 1, 1);
	assert.equal(await list(), 1, "it belongs to another user");
});

test("a command without a setting on which the service's stores and keys depend is refused", async () => {
	const env = { DATA_DIR: join(root, "keyed"), RUNTIME_DIRECTORY: join(root, "run-keyed") };
	const service = await serve(env.DATA_DIR, env, ["SECRET_KEY"]);
	const without = await cli(ann, { env, input: password });
	assert.match(without.error, /^The service runs with SECRET_KEY, which this command does not have: add it to /);
	const secret = { SECRET_KEY: "k".repeat(40) };
	assert.equal((await cli(ann, { env: { ...env, ...secret }, input: password })).code, 0);
	service.end();
});
