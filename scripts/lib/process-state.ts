import { setTimeout as delay } from "node:timers/promises";

/** State that tests share in one process, and therefore have to restore. */
export interface ProcessState {
	readonly values: ReadonlyMap<string, unknown>;
	/** Handles that keep the process alive, by kind. */
	readonly open: readonly string[];
}

/** Events whose listeners decide how a process ends or what it says. */
const EVENTS = ["SIGINT", "SIGTERM", "SIGHUP", "uncaughtException", "unhandledRejection", "message", "disconnect"];
/** Time for a closing connection; a later one would have kept a process alive. */
const CLOSES_WITHIN_MS = 10_000;
/** Libraries leave helpers under such names as soon as they are loaded. */
const isOfLibrary = (name: string) => name.startsWith("__");
/** The runner's own. */
const OWN = new Set(["NODE_TEST_WORKER_ID"]);

/** The state of this process now. */
export function processState(): ProcessState {
	const values = new Map<string, unknown>([
		["the working directory", process.cwd()],
		["process.exitCode", process.exitCode],
		["Date.now", Date.now],
		["Math.random", Math.random],
		["process.exit", process.exit],
		["process.kill", process.kill],
		["process.stdout.write", process.stdout.write],
		["process.stderr.write", process.stderr.write],
		["performance.now", performance.now],
	]);
	for (const name of Object.keys(process.env)) {
		if (!OWN.has(name)) values.set(`process.env.${name}`, process.env[name]);
	}
	for (const event of EVENTS) values.set(`listeners of ${event}`, process.listenerCount(event));
	for (const name of Object.getOwnPropertyNames(globalThis)) {
		const { value, get } = Object.getOwnPropertyDescriptor(globalThis, name) ?? {};
		// A getter becomes the value when somebody first asks.
		if (get === undefined && !isOfLibrary(name)) values.set(`globalThis.${name}`, value);
	}
	return { values, open: process.getActiveResourcesInfo() };
}

/** Reads what Node makes on first use, so that a file that uses it changes nothing. */
export function touchLazyGlobals(): void {
	for (const name of Object.getOwnPropertyNames(globalThis)) {
		// Asking for a store without a file of its own prints a warning.
		if (!name.endsWith("Storage")) Reflect.get(globalThis, name);
	}
}

/** Unrestored changes of a file, as sentences; `kept` names handles that stay open on purpose. */
export async function changesSince(before: ProcessState, kept: () => readonly string[]): Promise<string[]> {
	const { values } = processState();
	const names = new Set([...before.values.keys(), ...values.keys()]);
	const changed = [...names].filter((name) => !Object.is(before.values.get(name), values.get(name)));
	const end = performance.now() + CLOSES_WITHIN_MS;
	let open = beyond(process.getActiveResourcesInfo(), [...before.open, ...kept()]);
	while (open.length > 0 && performance.now() < end) {
		await delay(10);
		open = beyond(process.getActiveResourcesInfo(), [...before.open, ...kept()]);
	}
	return [
		...changed.map((name) => `the file changed ${name} and did not put it back`),
		...(open.length > 0 ? [`the file left open: ${open.join(", ")}`] : []),
	];
}

/** The entries that `allowed` does not hold as often. */
function beyond(entries: readonly string[], allowed: readonly string[]): string[] {
	const rest = [...allowed];
	return entries.filter((entry) => {
		const index = rest.indexOf(entry);
		if (index < 0) return true;
		rest.splice(index, 1);
		return false;
	});
}
