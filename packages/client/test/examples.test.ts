import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { newSecret, signatureHeaders } from "../../server/src/features/delivering/webhooks/endpoints/sealed-values.ts";
import { runProgram } from "../../server/test/support/command.ts";
import { newDirectory } from "../../server/test/support/new-directory.ts";
import { password } from "../../server/test/support/test-users.ts";
import { openShop, type Shop } from "./shop.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const tools = at("../../../node_modules/.bin/");

/** A project of somebody else, with the package as npm packs it. */
const project = newDirectory();
let shop: Shop;

before(async () => {
	[shop] = await Promise.all([openShop(), installPacked(project)]);
});
after(() => shop?.app.close());

async function installPacked(folder: string): Promise<void> {
	const env = { PATH: `${tools}:${process.env.PATH}`, npm_config_cache: join(folder, "cache"), HOME: folder };
	await succeed("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], { cwd: at(".."), env });
	const installed = join(folder, "node_modules/footfall-client");
	mkdirSync(installed, { recursive: true });
	const [packed = ""] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
	await succeed("tar", ["-xzf", join(folder, packed), "-C", installed, "--strip-components=1"]);
	cpSync(join(installed, "examples"), join(folder, "examples"), { recursive: true });
	writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
}

async function succeed(...[path, args, around]: Parameters<typeof runProgram>): Promise<string> {
	const { out, error, code } = await runProgram(path, args, around);
	assert.equal(code, 0, `${path} ${args.join(" ")}: ${error}${out}`);
	return out;
}

/** What an example prints. */
async function printed(name: string, ...args: readonly string[]): Promise<readonly string[]> {
	const env = {
		FOOTFALL_URL: shop.root,
		FOOTFALL_KEY: shop.key,
		FOOTFALL_EMAIL: "ann@example.com",
		FOOTFALL_PASSWORD: password,
	};
	const out = await succeed(process.execPath, [join(project, "examples", `${name}.ts`), ...args], {
		cwd: project,
		env,
	});
	return out.trimEnd().split("\n");
}

test("the package holds what was built, the examples, a licence and a guide, and needs no other package", () => {
	const installed = join(project, "node_modules/footfall-client");
	assert.deepEqual(readdirSync(installed).sort(), ["LICENSE", "README.md", "dist", "examples", "package.json"]);
	const { dependencies, exports } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
	assert.deepEqual(
		[dependencies, exports["."]],
		[undefined, { types: "./dist/index.d.ts", default: "./dist/index.js" }],
	);
	for (const name of readdirSync(join(installed, "dist")))
		assert.doesNotMatch(readFileSync(join(installed, "dist", name), "utf8"), /from "(?!\.\/[\w.-]+\.js")/, name);
});

test("its examples compile in a project of the strictest settings", async () => {
	const compilerOptions = {
		target: "ES2022",
		module: "NodeNext",
		lib: ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
		strict: true,
		noUncheckedIndexedAccess: true,
		exactOptionalPropertyTypes: true,
		noPropertyAccessFromIndexSignature: true,
		allowImportingTsExtensions: true,
		noEmit: true,
		types: ["node"],
		typeRoots: [at("../../../node_modules/@types")],
	};
	writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["examples"] }));
	assert.equal(await succeed(join(tools, "tsc"), ["-p", project]), "");
});

const printing: Readonly<Record<string, readonly string[]>> = {
	yesterday: ["2026-11-20: 1 visitors, 1 visits, 2 page views"],
	"top-pages": ["path,page_views,entrances", '"/",4,4', '"/cart",1,0', '"/sale",1,1'],
	funnel: ["1. cart: 2 (100 %)", "2. purchase: 1 (50 %)"],
	comparison: ["(direct): 2 visits (+2)", "google: 1 visits (+0)", "news: 1 visits (+1)"],
	together: ["4 visits from 1 countries", "The third question failed: account_not_found"],
	"pages-line-by-line": ["4 /", "1 /cart", "1 /sale"],
};

for (const [name, lines] of Object.entries(printing))
	test(`${name}.ts tells what the shop's visits are`, async () => assert.deepEqual(await printed(name), lines));

test("export.ts writes the file that it asked for", async () => {
	assert.deepEqual(await printed("export", "orders.csv"), ["1 rows in orders.csv"]);
	const [head = "", row = "", ...rest] = readFileSync(join(project, "orders.csv"), "utf8").trimEnd().split("\n");
	const cells = new Map(head.split(",").map((name, index) => [name.trim(), row.split(",")[index]]));
	assert.deepEqual([cells.get("conversion_type"), rest.length], ["purchase", 0]);
});

test("record-goals.ts makes the goals that are missing, once", async () => {
	assert.deepEqual(await printed("record-goals"), [
		"made: Fifty orders a day",
		"made: A thousand orders a month",
		"2 goals are there",
	]);
	assert.deepEqual(await printed("record-goals"), ["2 goals are there"]);
});

test("create-site.ts makes a site and shows its tag", async () => {
	const [line = ""] = await printed("create-site", "News", "news.example");
	assert.match(line, /^news: <script>typeof window\.footfall.*<\/script>$/);
});

test("webhook-receiver.ts takes what is signed and refuses the rest", async (t) => {
	const secret = newSecret();
	const receiver = spawn(process.execPath, [join(project, "examples/webhook-receiver.ts")], {
		env: { WEBHOOK_SECRET: secret, PORT: "0" },
		stdio: ["ignore", "pipe", "inherit"],
	});
	t.after(async () => {
		receiver.kill();
		if (receiver.exitCode === null && receiver.signalCode === null) await once(receiver, "exit");
	});
	const lines = createInterface(receiver.stdout)[Symbol.asyncIterator]();
	const port = /^listening on (\d+)$/.exec((await lines.next()).value ?? "")?.[1];
	const event = { event: "export.completed", event_id: "e1", timestamp: "", account_id: "shop", data: {} };
	const body = JSON.stringify(event);
	const timestamp = Math.floor(Date.now() / 1000);
	const headers = signatureHeaders([secret], { eventId: "e1", payload: body, timestamp });
	const send = async (sent: string) =>
		(await fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body: sent })).status;
	assert.deepEqual([await send(body), await send(body.replace("shop", "blog"))], [204, 401]);
	assert.equal((await lines.next()).value, "export.completed e1");
});
