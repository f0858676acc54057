import assert from "node:assert/strict";
import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { program, runProgram } from "../support/command.ts";
import { freePort } from "../support/free-port.ts";
import { commandsOf, guideBlocks } from "../support/guide.ts";
import { runService, type ServiceProcess } from "../support/service-process.ts";
import { until } from "../support/until.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
/** In the order in which somebody reads them: each goes on with what the one before has made. */
const guides = ["README.md", "docs/install.md", "docs/troubleshooting.md"];
const password = "correct horse battery staple 7";

/** Commands that a test cannot give, and why. */
const elsewhere: readonly (readonly [RegExp, string])[] = [
	[/^git (clone|pull)\b/, "the checkout is this one"],
	[/^npm start$/, "it listens on a fixed port; bench/newcomer gives it"],
	[/^(docker (build|run|logs)|docker compose -f \S+ (up|logs|stop|start|run)|export STATS_HOST=)/, "needs Docker"],
	[/^sudo (useradd|git|node|cp|install|systemctl|journalctl|tar)\b/, "changes the machine"],
];
/** How the program is called where it is installed, and what that is in a checkout. */
const installed: readonly (readonly [RegExp, string])[] = [
	[/^sudo -u footfall \/opt\/footfall\/footfall --env-file \/etc\/footfall\.env /, "./footfall --env-file .env "],
	[/^docker compose -f deploy\/compose\.yaml exec footfall footfall /, "./footfall "],
	[/^docker exec footfall footfall /, "./footfall "],
];
/** What wants the service to be stopped, as the guides say. */
const stopped = /footfall (seed|export)\b|^(cp|mv) /;

const folder = realpathSync(mkdtempSync(join(tmpdir(), "footfall-guides-")));
const checkout = join(folder, "footfall");
const around = { RUNTIME_DIRECTORY: join(folder, "run") };
let variables: Record<string, string> = { ...around };
let address: string;
let service: ServiceProcess;

async function start(): Promise<void> {
	service = runService(["start"], { ...around, DATA_DIR: join(checkout, "data"), PORT: new URL(address).port });
	await service.listening;
}
async function stop(): Promise<void> {
	service.child.kill("SIGTERM");
	await service.ended;
}

before(async () => {
	mkdirSync(checkout);
	symlinkSync(program, join(checkout, "footfall"));
	address = `http://127.0.0.1:${await freePort()}`;
	writeFileSync(join(checkout, ".env"), `PORT=${new URL(address).port}\n`);
	await start();
});
after(async () => {
	await stop();
	rmSync(folder, { recursive: true, force: true });
});

/** What the reader types: the address of this service, the key that was made before, the password when it is asked for. */
function typed(command: string): string {
	const [pattern, here = ""] = installed.find(([known]) => known.test(command)) ?? [/^/];
	const asksPassword = /footfall .*users (create|password)\b/.test(command) && !command.includes("--password-stdin");
	return command
		.replace(pattern, here)
		.replaceAll("http://127.0.0.1:3000", address)
		.replace("svc_…", variables.KEY_SHOWN ?? "no key was made")
		.concat(asksPassword ? " --password-stdin" : "");
}

/** Gives a command in the folder of the checkout; what it sets and exports is there for the next ones. */
async function give(command: string) {
	const kept = join(folder, "kept");
	const line = `set -o pipefail -a\n${typed(command)}\ncode=$?\nenv -0 > '${kept}'\nexit $code`;
	const printed = await runProgram("bash", ["--norc", "-c", line], { cwd: checkout, env: variables, input: password });
	const pairs = readFileSync(kept, "utf8")
		.split("\0")
		.map((pair) => /^(TOKEN|KEY)=([\s\S]*)$/.exec(pair));
	for (const pair of pairs) if (pair !== null) variables = { ...variables, [pair[1] ?? ""]: pair[2] ?? "" };
	const key = /^token: (svc_\w+)$/m.exec(printed.out)?.[1];
	if (key !== undefined) variables = { ...variables, KEY_SHOWN: key };
	return printed;
}

/** What a reader sees after waiting as long as the guide says. */
const expected: readonly (readonly [RegExp, (printed: { out: string }) => boolean])[] = [
	[/^TOKEN=/, () => (variables.TOKEN ?? "") !== ""],
	[/\/event /, ({ out }) => / 204 /.test(out)],
	[/\/stats\/overview/, ({ out }) => JSON.parse(out).data.traffic.entrances === 1],
];

async function check(command: string, place: string): Promise<void> {
	const isThere = expected.find(([known]) => known.test(command))?.[1];
	await until(async () => {
		const printed = await give(command);
		if (isThere !== undefined) return printed.code === 0 && isThere(printed);
		assert.equal(printed.code, 0, `${place}: ${printed.error}${printed.out}`);
		return true;
	});
}

const isElsewhere = (command: string) => elsewhere.some(([known]) => known.test(command));

for (const guide of guides) {
	for (const block of guideBlocks(readFileSync(root + guide, "utf8"))) {
		if (block.language !== "sh") continue;
		const here = commandsOf(block).filter(
			(command) => !command.split(" && ").every((part) => isElsewhere(part) || /^cd /.test(part)),
		);
		const place = `${guide}:${block.line}`;
		if (here.length === 0) continue;
		test(`${place} ${here.join("; ").replace(/\s+/g, " ").slice(0, 120)}`, { timeout: 120_000 }, async () => {
			const mustRest = here.some((command) => stopped.test(command));
			if (mustRest) await stop();
			for (const command of here) await check(command, place);
			if (mustRest) await start();
		});
	}
}

test("what the guides cannot give in a test is in them", () => {
	const all = guides.flatMap((guide) =>
		guideBlocks(readFileSync(root + guide, "utf8"))
			.filter(({ language }) => language === "sh")
			.flatMap(commandsOf),
	);
	for (const [known, reason] of elsewhere)
		assert.ok(
			all.some((command) => known.test(command)),
			reason,
		);
	for (const [known] of installed)
		assert.ok(
			all.some((command) => known.test(command)),
			String(known),
		);
});

test("no document asks npx for the program, which there is a package of somebody else", () => {
	const documents = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "packages/tracker/README.md"];
	const docs = readdirSync(`${root}docs`).filter((name) => name.endsWith(".md"));
	for (const name of [...documents, ...docs.map((file) => `docs/${file}`)]) {
		assert.doesNotMatch(readFileSync(root + name, "utf8"), /npx (-\S+ )*footfall/, name);
	}
});
