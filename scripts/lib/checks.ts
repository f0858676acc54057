import { spawn } from "node:child_process";
import { root } from "./root.ts";

/** A static check: a program that leaves with 0 when everything is in order. */
export interface Check {
	readonly name: string;
	/** Program in `node_modules/.bin`, then its arguments. */
	readonly command: readonly [string, ...string[]];
}

/**
 * The compiler's checkers each look at what others need of a file: one alone takes less than half of the work of four. The next run on
 * the same checkout looks at changed files alone, which takes a fifth of the work.
 */
const types = (folder: string) => {
	const known = `node_modules/.cache/types/${folder.replaceAll(/\W/g, "-")}.tsbuildinfo`;
	return ["tsc", "-p", folder, "--checkers", "1", "--incremental", "--tsBuildInfoFile", known] as const;
};

/** All static checks, the slowest first. */
export const checks: readonly Check[] = [
	{ name: "unused files, exports and dependencies (knip)", command: ["knip", "--no-progress"] },
	{ name: "types (tsc)", command: types("tsconfig.json") },
	{ name: "API description (redocly)", command: ["node", "scripts/lint-openapi.ts"] },
	{ name: "types of the tracker (tsc)", command: types("packages/tracker") },
	{ name: "types of the dashboard (tsc)", command: types("packages/dashboard") },
	{ name: "types of the help (tsc)", command: types("packages/help") },
	{ name: "types of the client (tsc)", command: types("packages/client") },
	{
		name: "dashboard and client know the API as it is described",
		command: ["node", "packages/dashboard/scripts/generate-api.ts", "--check"],
	},
	{
		name: "the dashboard defines its figures as the documents do",
		command: ["node", "packages/dashboard/scripts/generate-definitions.ts", "--check"],
	},
	{
		name: "import rules (dependency-cruiser)",
		command: [
			"depcruise",
			"--config",
			".dependency-cruiser.mjs",
			// Nobody imports a test, so none is part of a cycle, and the parser knows no `await using`.
			"packages/server/{src,test,migrations,bin}/**/!(*.test).{ts,mjs}",
			"packages/dashboard/src",
			"{scripts,bench}/**/!(*.test).{ts,mjs}",
		],
	},
	{
		name: "style and format (biome)",
		command: ["biome", "check", "--colors=off", "--max-diagnostics=40", "--error-on-warnings", "."],
	},
];

/** How a check ended. */
export interface CheckResult {
	readonly name: string;
	readonly passed: boolean;
	readonly output: string;
	readonly seconds: number;
}

/** Runs one check and collects what it prints. */
export function runCheck(check: Check): Promise<CheckResult> {
	const began = performance.now();
	const [program, ...args] = check.command;
	const tools = `${root}node_modules/.bin`;
	// The tools' own scripts look for `node` on the path: it must be the pinned one.
	const env = { ...process.env, PATH: `${tools}:${process.env.PATH ?? ""}` };
	return new Promise((resolve) => {
		const child = spawn(`${tools}/${program}`, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
		let output = "";
		const collect = (chunk: Buffer) => {
			output += chunk;
		};
		child.stdout.on("data", collect);
		child.stderr.on("data", collect);
		const end = (passed: boolean) =>
			resolve({ name: check.name, passed, output, seconds: (performance.now() - began) / 1000 });
		child.on("error", (error) => {
			output += error.message;
			end(false);
		});
		child.on("close", (code) => end(code === 0));
	});
}
