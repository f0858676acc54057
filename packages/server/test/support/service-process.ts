import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { ownEnvironment } from "./own-environment.ts";

const bin = fileURLToPath(new URL("../../bin/footfall.mjs", import.meta.url));

export type ServiceProcess = ReturnType<typeof runService>;

/**
 * Runs `footfall` with these arguments and nothing of this process's settings: that of the checkout, or an installed `program`, which finds
 * its Node by itself.
 */
export function runService(args: readonly string[], env: Readonly<Record<string, string>>, program?: string) {
	const [path, first] = program === undefined ? [process.execPath, [bin]] : [program, []];
	const child = spawn(path, [...first, ...args], {
		env: ownEnvironment({ NODE_ENV: "test", PORT: "0", ...env }),
		stdio: ["ignore", "pipe", "pipe"],
	});
	let [stdout, stderr] = ["", ""];
	/** Resolves with the address once the service listens; rejects when it ends before. */
	const { promise: listening, resolve, reject } = Promise.withResolvers<string>();
	const waiting = new Set<{ readonly pattern: RegExp; readonly done: PromiseWithResolvers<void> }>();
	const settle = () => {
		const address = /running at {2}(https?:\S+)/.exec(stdout)?.[1];
		if (address !== undefined && stdout.endsWith("\n\n")) resolve(address);
		for (const { pattern, done } of waiting) if (pattern.test(stdout) || pattern.test(stderr)) done.resolve();
	};
	const add = (text: string, isError: boolean) => {
		if (isError) stderr += text;
		else stdout += text;
		settle();
	};
	child.stdout.setEncoding("utf8").on("data", (text: string) => add(text, false));
	child.stderr.setEncoding("utf8").on("data", (text: string) => add(text, true));
	/** Resolves with the exit code; null after a signal. */
	const ended = once(child, "close").then(([code]) => {
		const error = new Error(`The service ended: ${stderr}`);
		reject(error);
		for (const { done } of waiting) done.reject(error);
		return code as number | null;
	});
	/** Resolves once it has written what matches, to standard output or standard error; rejects when it ends before. */
	const wrote = (pattern: RegExp) => {
		const done = Promise.withResolvers<void>();
		waiting.add({ pattern, done });
		settle();
		return done.promise;
	};
	listening.catch(() => undefined);
	return { child, output: () => ({ stdout, stderr }), listening, wrote, ended };
}
