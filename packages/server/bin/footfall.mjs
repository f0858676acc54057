#!/usr/bin/env node
import module from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

// The program needs the Node that is installed beside it as a package of the platform; an older one only starts it.
const isOld = Number(process.versions.node.split(".", 1)[0]) < 26;
// Behind the dashes Node leaves options such as --env-file to the program.
const args = ["--", fileURLToPath(import.meta.url), ...process.argv.slice(2)];
// A hit leaves some kilobytes of short-lived objects behind; a larger nursery lets them die in it, at a third less
// processor time for garbage collection. The flag has to be there when the process starts.
const nursery = "--max-semi-space-size=32";
const serves = process.argv.includes("start") && !process.execArgv.includes(nursery);

function findPinned() {
	const { resolve } = module.createRequire(import.meta.url);
	const platform = `${process.platform}-${process.arch}`;
	for (const name of [`node-${platform}`, `node-bin-${platform}`]) {
		try {
			return join(dirname(resolve(`${name}/package.json`)), "bin/node");
		} catch {
			// The other name, or none.
		}
	}
	console.error(
		`Footfall needs Node 26 or later; this is ${process.version}, and npm installed no newer one for ${platform}. ` +
			"Install again without --omit=optional, or install Node 26.",
	);
	process.exit(1);
}

if (isOld) {
	const pinned = findPinned();
	const { spawn } = await import("node:child_process");
	// Over the channel the child learns that this process is gone, also when nobody could tell it.
	const stdio = ["inherit", "inherit", "inherit", "ipc"];
	const child = spawn(pinned, [nursery, ...args], { stdio, env: { ...process.env, FOOTFALL_WRAPPED: "1" } });
	for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => child.kill(signal));
	child.on("exit", (code, signal) => {
		if (code === 127) console.error("Node 26 wants libatomic: on Debian and Ubuntu, apt-get install libatomic1");
		process.exitCode = code ?? (signal === null ? 1 : 128);
	});
} else if (serves && process.execve !== undefined) {
	process.execve(process.execPath, [process.execPath, nursery, ...process.execArgv, ...args], process.env);
} else {
	if (process.env.FOOTFALL_WRAPPED !== undefined && process.channel) {
		process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
		process.channel.unref();
	}
	module.enableCompileCache?.();
	const { runCli } = await import("../src/cli/cli.ts");
	await runCli(process.argv.slice(2));
}
