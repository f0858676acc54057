import { spawnSync } from "node:child_process";

/** Runs npm in a folder and answers what it printed; throws with it when npm fails. */
export function npm(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = process.env): string {
	const { status, stdout, stderr, error } = spawnSync("npm", [...args], { cwd, env, encoding: "utf8" });
	if (status === 0) return stdout;
	throw new Error(`npm ${args.join(" ")} failed:\n${stdout ?? ""}${stderr ?? error?.message ?? ""}`);
}
