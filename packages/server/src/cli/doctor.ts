import { systemClock } from "../platform/lib/clock.ts";
import { examine } from "./doctor/examine.ts";
import { exitCode, type Finding, worst } from "./doctor/finding.ts";
import { type DefineCommand, type Output, print, withJson } from "./print-records.ts";
import { serviceOn } from "./settle-settings.ts";

interface Options extends Output {
	/** False with `--no-sites`. */
	readonly sites: boolean;
}

/** `footfall doctor` */
export const define: DefineCommand = (command) => {
	withJson(command)
		.option("--no-sites", "skip the last hit of each site, which needs a temporary key")
		.addHelpText("after", "\nExit code: 0 no problems, 1 warnings, 2 errors.")
		.action(run);
};

async function run({ sites, ...output }: Options): Promise<void> {
	const { env } = process;
	const findings = await examine({
		env,
		clock: systemClock,
		serviceOn: (dir) => serviceOn(env, dir),
		asksSites: sites,
	});
	print(output, { status: worst(findings), findings }, describe(findings));
	process.exitCode = exitCode(findings);
}

function describe(findings: readonly Finding[]): string {
	const width = Math.max(...findings.map(({ check }) => check.length));
	return findings
		.map(({ check, level, message, fix }) => {
			const line = `${level.padEnd(7)}  ${check.padEnd(width)}  ${message}`;
			return fix === undefined ? line : `${line}\n${" ".repeat(width + 11)}-> ${fix}`;
		})
		.join("\n");
}
