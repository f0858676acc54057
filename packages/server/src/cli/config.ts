import { adviceFor } from "../platform/config/advice.ts";
import { type Config, fieldOf, loadConfig } from "../platform/config/config.ts";
import { variables } from "../platform/config/variables.ts";
import { lackOfRight } from "../platform/files/lack-of-right.ts";
import type { DefineCommand } from "./print-records.ts";
import { serviceOn } from "./settle-settings.ts";

interface Listed {
	readonly default?: string;
	readonly secret?: true;
	readonly meaning: string;
}

const listed: readonly (readonly [name: string, variable: Listed])[] = Object.entries(variables);

const shown = (value: unknown): string =>
	Array.isArray(value) ? value.join(",") : value === undefined ? "" : String(value);

/** The effective settings as `NAME=value` lines; secrets show only that they are set. */
export function printConfig(config: Config): string {
	const values: Readonly<Record<string, unknown>> = config;
	return listed
		.map(([name, { secret }]) => {
			const value = values[fieldOf(name)];
			return `${name}=${secret === true && value !== undefined ? "********" : shown(value)}`;
		})
		.join("\n");
}

/** The table of all variables in Markdown, for the operator's manual. */
export const configTable = (): string =>
	[
		"| Variable | Default | Meaning |",
		"|---|---|---|",
		...listed.map(([name, { default: fallback, meaning }]) => {
			const cell = fallback === undefined || fallback === "" ? "" : `\`${fallback}\``;
			return `| \`${name}\` | ${cell} | ${meaning.replaceAll("|", "\\|")} |`;
		}),
	].join("\n");

/** `footfall config` */
export const define: DefineCommand = (command) => {
	command
		.option("--markdown", "print all variables as a Markdown table")
		.action(({ markdown }: { markdown?: true }) => {
			process.stdout.write(`${markdown === true ? configTable() : printConfig(loadConfig(process.env))}\n`);
		});
	command.command("check").description("Check the settings for errors and warnings").action(check);
};

/** A value that cannot be used ends the command with its line, as it would end a start. */
function check(): void {
	const config = loadConfig(process.env);
	const advice = adviceFor(config).map(({ message }) => message);
	const lack = lackOfRight(config.dataDir);
	const doubts = lack === undefined ? advice : [...advice, `DATA_DIR ${config.dataDir} ${lack}`];
	const service = serviceOn(process.env, config.dataDir);
	const lines = [
		`Data: ${config.dataDir}`,
		service === undefined ? "No service is running on it." : `The service is running at ${service.rootUrl}.`,
		...(doubts.length === 0 ? ["The settings are valid."] : doubts),
	];
	process.stdout.write(`${lines.join("\n")}\n`);
	if (doubts.length > 0) process.exitCode = 1;
}
