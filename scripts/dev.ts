// The service and the dashboard while one works on them: both start again or redraw by themselves when a file changes.
import { spawn } from "node:child_process";
import { root } from "./lib/root.ts";

const tools = `${root}node_modules/.bin`;
const run = (program: string, ...args: readonly string[]) =>
	spawn(`${tools}/${program}`, args, { cwd: root, stdio: "inherit" });

const children = [
	// The flag keeps the service from replacing its process, which the watch would not see.
	run("node", "--max-semi-space-size=32", "--watch", "packages/server/bin/footfall.mjs", "start"),
	run("vite", "packages/dashboard"),
];

function end(): void {
	for (const child of children) child.kill();
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, end);
for (const child of children) child.on("exit", end);
