// Real processes, as the commands of the guides are given to a shell.
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
import { program } from "../support/command.ts";
import { freePort } from "../support/free-port.ts";
import { commandsOf, guideBlocks } from "../support/guide.ts";
import { GuideShell, installedCalls } from "../support/guide-shell.ts";
import { runService, type ServiceProcess } from "../support/service-process.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
/**
 * In reading order: each uses the data of the ones before. Commands that need a stopped service come last, so that it starts once.
 */
const guides = ["README.md", "docs/install.md", "docs/troubleshooting.md"];

/** Commands that a test cannot give, and why. */
const elsewhere: readonly (readonly [RegExp, string])[] = [
	[/^git (clone|pull)\b/, "the checkout is this one"],
	[/^npm start$/, "it listens on a fixed port; bench/newcomer gives it"],
	[/^(docker (build|run|logs)|docker compose -f \S+ (up|logs|stop|start|run)|export STATS_HOST=)/, "needs Docker"],
	[/^(kubectl apply|cp deploy\/cluster\/)/, "needs a cluster; scripts/deploy reads its files"],
	[/^npm install -g|^footfall start$/, "`npm run release:check` gives it"],
	[/^sudo (useradd|git|node|cp|install|systemctl|journalctl|tar)\b/, "changes the machine"],
];
/** Commands that need the service to be stopped, as the guides say. */
const stopped = /footfall (seed|export)\b|^(cp|mv) /;

const folder = realpathSync(mkdtempSync(join(tmpdir(), "footfall-guides-")));
const checkout = join(folder, "footfall");
const around = { RUNTIME_DIRECTORY: join(folder, "run") };
let shell: GuideShell;
let address: string;
let service: ServiceProcess;

before(async () => {
	mkdirSync(checkout);
	symlinkSync(program, join(checkout, "footfall"));
	address = `http://127.0.0.1:${await freePort()}`;
	writeFileSync(join(checkout, ".env"), `PORT=${new URL(address).port}\n`);
	shell = new GuideShell({ cwd: checkout, address, notes: folder, env: around });
	service = runService(["start"], { ...around, DATA_DIR: join(checkout, "data"), PORT: new URL(address).port });
	await service.listening;
});
after(async () => {
	service.child.kill("SIGKILL");
	await service.ended;
	rmSync(folder, { recursive: true, force: true });
});

const isElsewhere = (command: string) => elsewhere.some(([known]) => known.test(command));

const blocks = guides.flatMap((guide) =>
	guideBlocks(readFileSync(root + guide, "utf8"))
		.filter(({ language }) => language === "sh")
		.map((block) => ({ place: `${guide}:${block.line}`, commands: commandsOf(block) })),
);
const isGiven = (command: string) => !command.split(" && ").every((part) => isElsewhere(part) || /^cd /.test(part));
const { running = [], resting = [] } = Object.groupBy(
	blocks
		.map(({ place, commands }) => ({ place, commands: commands.filter(isGiven) }))
		.filter(({ commands }) => commands.length > 0),
	({ commands }) => (commands.some((command) => stopped.test(command)) ? "resting" : "running"),
);
/** Commands that only read are given once, however often the guides have them. */
const reads = /footfall (--env-file \S+ )?(users list|sites list|config check)$/;
const given = new Set<string>();

function follow({ place, commands }: (typeof blocks)[number]) {
	test(`${place} ${commands.join("; ").replace(/\s+/g, " ").slice(0, 120)}`, async () => {
		for (const command of commands) {
			const typed = shell.typed(command);
			if (!reads.test(typed) || !given.has(typed)) await shell.follow(command, place);
			given.add(typed);
		}
	});
}

running.forEach(follow);

test("the service ends in order", async () => {
	service.child.kill("SIGTERM");
	assert.equal(await service.ended, 0, service.output().stderr);
});

resting.forEach(follow);

test("placeholders that tests replace are in the guides", () => {
	const all = blocks.flatMap(({ commands }) => commands);
	const isThere = (known: RegExp) => all.some((command) => known.test(command));
	for (const [known, reason] of elsewhere) assert.ok(isThere(known), reason);
	for (const [known] of installedCalls) assert.ok(isThere(known), String(known));
});

test("no document asks npx for the program, which there is a package of somebody else", () => {
	const documents = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "packages/tracker/README.md"];
	const docs = readdirSync(`${root}docs`).filter((name) => name.endsWith(".md"));
	for (const name of [...documents, ...docs.map((file) => `docs/${file}`)]) {
		assert.doesNotMatch(readFileSync(root + name, "utf8"), /npx (-\S+ )*footfall/, name);
	}
});
