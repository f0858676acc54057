// The service and the dashboard while one works on them: both start again or redraw by themselves when a file changes.
import { spawn } from "node:child_process";
import { root } from "./lib/root.ts";

const tools = `${root}node_modules/.bin`;
const children = [
	spawn(
		`${tools}/node`,
		["--watch-path=packages/server/src", "--watch-preserve-output", "packages/server/src/main.ts", "start"],
		{
			cwd: root,
			stdio: "inherit",
		},
	),
	spawn(`${tools}/vite`, ["packages/dashboard"], { cwd: root, stdio: "inherit" }),
];

function end(): void {
	for (const child of children) child.kill();
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, end);
for (const child of children) child.on("exit", end);
