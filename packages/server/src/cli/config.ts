import { loadConfig } from "../platform/config/config.ts";
import { configTable, printConfig } from "../platform/config/describe-config.ts";
import type { DefineCommand } from "./command.ts";

/** `footfall config` */
export const defineConfig: DefineCommand = (command) => {
	command
		.option("--markdown", "print the table of all variables for the manual")
		.action(({ markdown }: { markdown?: true }) => {
			process.stdout.write(`${markdown === true ? configTable() : printConfig(loadConfig(process.env))}\n`);
		});
};
