import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const tool = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"));

/** One thing that the tool looked at. */
export interface ConformanceCheck {
	readonly scenario: string;
	readonly id: string;
	readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
	readonly errorMessage?: string;
}

/** Runs the tool; `onOutput` gets all that it has printed so far. Answers its last words. */
async function run(args: readonly string[], onOutput: (text: string) => void = () => {}): Promise<string> {
	const child = spawn(process.execPath, [tool, ...args], {
		env: { PATH: process.env.PATH ?? "" },
		stdio: ["ignore", "pipe", "inherit"],
	});
	let text = "";
	child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
		text += chunk;
		onOutput(text);
	});
	// Its exit code counts scenarios of features that a server need not have.
	await once(child, "close");
	return text;
}

/** Runs scenarios and answers all that was checked. */
export async function runConformance(
	args: readonly string[],
	onOutput?: (text: string) => void,
): Promise<ConformanceCheck[]> {
	const folder = mkdtempSync(join(tmpdir(), "footfall-conformance-"));
	try {
		await run([...args, "--output-dir", folder], onOutput);
		return readdirSync(folder).flatMap((name) => readChecks(folder, name));
	} finally {
		rmSync(folder, { recursive: true });
	}
}

function readChecks(folder: string, name: string): ConformanceCheck[] {
	// `server-ping-2026-11-21T08-09-14-254Z`.
	const scenario = name.replace(/^(server|authorization-server)-/, "").replace(/-\d{4}-\d\d-\d\dT[\dZ-]+$/, "");
	const checks: Omit<ConformanceCheck, "scenario">[] = JSON.parse(
		readFileSync(join(folder, name, "checks.json"), "utf8"),
	);
	return checks.map((check) => ({ ...check, scenario }));
}

/** Names of the server scenarios that a revision of the protocol requires. */
export async function requiredScenarios(revision: string): Promise<ReadonlySet<string>> {
	const listed = await run(["list", "--server", "--requirements", revision]);
	const scored = listed.split("Run and reported, but never scored")[0] ?? "";
	return new Set([...scored.matchAll(/^ {2}- ([\w-]+)$/gm)].map(([, name = ""]) => name));
}
