#!/usr/bin/env node
import { existsSync } from "node:fs";
import module from "node:module";
import { fileURLToPath } from "node:url";

// The sources are TypeScript and need the Node that is installed beside them; an older one only starts it.
const pinned = fileURLToPath(new URL("../../../node_modules/.bin/node", import.meta.url));
const isOld = Number(process.versions.node.split(".", 1)[0]) < 26;

if (isOld && existsSync(pinned)) {
	const { spawn } = await import("node:child_process");
	const child = spawn(pinned, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: "inherit" });
	for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => child.kill(signal));
	child.on("exit", (code, signal) => {
		process.exitCode = code ?? (signal === null ? 1 : 128);
	});
} else {
	module.enableCompileCache?.();
	const { runCli } = await import("../src/cli/cli.ts");
	await runCli(process.argv.slice(2));
}
