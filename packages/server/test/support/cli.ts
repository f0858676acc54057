import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import { Readable } from "node:stream";
import { mock } from "node:test";
import { runCli } from "../../src/cli/cli.ts";
import { ownEnvironment } from "./own-environment.ts";

export interface Around {
	/** Settings, and nothing of this process's own. */
	readonly env?: Readonly<Record<string, string>>;
	readonly cwd?: string;
	readonly input?: string;
}

export interface Printed {
	readonly out: string;
	readonly error: string;
	readonly code: number | null;
}

/** Thrown in the place of an end of the process: no error, as commands handle errors. */
class Exit {
	readonly code: number;
	constructor(code: number) {
		this.code = code;
	}
}

let isRunning = false;

/**
 * Runs a command of `footfall` in this process, one at a time. Log lines go to standard error past `error`. A test of what the operating
 * system does with the process runs `command` of `command.ts`.
 */
export async function cli(args: readonly string[], { env = {}, cwd, input = "" }: Around = {}): Promise<Printed> {
	if (isRunning) throw new Error("Two commands in one process would share their output");
	isRunning = true;
	const restore = new DisposableStack();
	const { exitCode, env: ownEnv, stdout, stderr } = process;
	const stdin = Object.getOwnPropertyDescriptor(process, "stdin");
	try {
		process.env = ownEnvironment(env);
		restore.defer(() => void Object.assign(process, { env: ownEnv }));
		if (cwd !== undefined) {
			const before = process.cwd();
			process.chdir(cwd);
			restore.defer(() => process.chdir(before));
		}
		Object.defineProperty(process, "stdin", { value: Readable.from([input]), configurable: true, enumerable: true });
		restore.defer(() => stdin && Object.defineProperty(process, "stdin", stdin));
		// A backup lowers the priority of its process for good.
		const priority = mock.method(os, "setPriority", () => undefined);
		syncBuiltinESMExports();
		restore.defer(() => {
			priority.mock.restore();
			syncBuiltinESMExports();
		});
		const exit = mock.method(process, "exit", (code?: number) => {
			throw new Exit(code ?? 0);
		});
		restore.defer(() => exit.mock.restore());
		process.exitCode = undefined;
		restore.defer(() => void Object.assign(process, { exitCode }));
		const [out, error] = [stdout, stderr].map((stream) => captured(stream, restore));
		const code = await runCli(args).then(
			() => Number(process.exitCode ?? 0),
			(thrown: unknown) => {
				if (thrown instanceof Exit) return thrown.code;
				throw thrown;
			},
		);
		return { out: out?.() ?? "", error: error?.() ?? "", code };
	} finally {
		restore.dispose();
		isRunning = false;
	}
}

/** Keeps the text that is written to a stream; bytes are those of the tests' reporter and go on. */
function captured(stream: NodeJS.WriteStream, restore: DisposableStack): () => string {
	const { write } = stream;
	let text = "";
	const keep = (piece: string | Uint8Array, ...more: unknown[]) => {
		if (typeof piece !== "string") return Reflect.apply(write, stream, [piece, ...more]);
		text += piece;
		for (const done of more) if (typeof done === "function") done();
		return true;
	};
	Object.assign(stream, { write: keep });
	restore.defer(() => void Object.assign(stream, { write }));
	return () => text;
}
