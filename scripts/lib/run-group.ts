// A process of the test runner: asks for one file after the other, runs it, and tells what it does. It ends after a file that
// failed or changed what the others rely on; those run in a new process then.
import { AsyncResource } from "node:async_hooks";
import { readSync, writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { resolve } from "node:path";
import { after, run } from "node:test";
import { pathToFileURL } from "node:url";
import { cpuSeconds } from "./cpu-seconds.ts";
import { END_OF_FILE } from "./printed-output.ts";
import { changesSince, processState, touchLazyGlobals } from "./process-state.ts";
import { ANSWERED_ON, ASKS_ON, type GroupMessage, toTestLine } from "./test-line.ts";

/** Shared resources of files, such as a running engine; `test/support/remove-at-the-end.ts` adds to it. */
const shared: { readonly keepsOpen: () => readonly string[]; readonly remove: () => Promise<void> }[] = [];
Object.defineProperty(globalThis, Symbol.for("footfall.tests.shared"), { value: shared });

/** `node:test` knows by the asynchronous context whose test a test is: a file starts in none. */
const nobody = new AsyncResource("test file");

const tell = (message: GroupMessage) => void writeSync(ASKS_ON, `${JSON.stringify(message)}\n`);

/** Waits for the answer without an open handle that a file would seem to have left. */
function askForFile(): string | undefined {
	tell({ kind: "next" });
	const part = Buffer.alloc(4096);
	let answer = "";
	while (!answer.endsWith("\n")) {
		const length = readSync(ANSWERED_ON, part);
		if (length === 0) return undefined;
		answer += part.toString("utf8", 0, length);
	}
	return answer.trimEnd() || undefined;
}

/** The events of one file. Left alone, `node:test` ends when nothing keeps the process alive, which shared things do. */
function eventsOf(file: string): ReturnType<typeof run> {
	const known = process.listeners("beforeExit");
	const events = run({ files: [resolve(file)], isolation: "none" });
	const ends = process.listeners("beforeExit").filter((listener) => !known.includes(listener));
	// A hook that comes last, as the file is loaded by then.
	const endAfterAll = () => after(() => void setImmediate(() => ends.forEach((end) => void end(0))));
	// `run` loads the same module, and reports that it does not load.
	nobody.runInAsyncScope(() => import(pathToFileURL(resolve(file)).href).then(endAfterAll, endAfterAll));
	return events;
}

/** True when the file passed and left everything as it found it. */
async function runFile(file: string): Promise<boolean> {
	let passed = true;
	const spent = cpuSeconds();
	tell({ kind: "begin", file });
	for await (const event of eventsOf(file)) {
		const line = toTestLine(event);
		// For a file without tests `node:test` makes up one of the file's name.
		if (line === undefined || (line.kind === "pass" && line.name === resolve(file))) continue;
		tell({ kind: "line", line });
		if (line.kind === "fail") passed = false;
	}
	const kept = () => shared.flatMap(({ keepsOpen }) => keepsOpen());
	const changes = await changesSince(before, kept);
	for (const change of changes) {
		if (passed) tell({ kind: "line", line: { kind: "fail", name: change, error: change } });
	}
	// Processes that tests start, and those beside this one, need not compile again what this one has.
	flushCompileCache();
	writeSync(1, END_OF_FILE);
	tell({ kind: "end", file, cpuSeconds: cpuSeconds() - spent });
	return passed && changes.length === 0;
}

touchLazyGlobals();
const before = processState();
for (let file = askForFile(); file !== undefined; file = askForFile()) {
	if (!(await runFile(file))) break;
}
for (const { remove } of shared.splice(0)) await remove();
process.exit(0);
