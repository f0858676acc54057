import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Around, Printed } from "./cli.ts";
import { ownEnvironment } from "./own-environment.ts";

export const program = fileURLToPath(new URL("../../../../footfall", import.meta.url));

export async function runProgram(path: string, args: readonly string[], around: Around = {}): Promise<Printed> {
	const { env = {}, cwd, input = "" } = around;
	const child = spawn(path, args, { env: ownEnvironment(env), ...(cwd !== undefined && { cwd }) });
	// A program that reads nothing may have ended already.
	child.stdin.on("error", () => undefined).end(input);
	const [out, error, code] = await Promise.all([
		text(child.stdout),
		text(child.stderr),
		new Promise<number | null>((resolve) => child.once("close", resolve)),
	]);
	return { out, error, code };
}
