import type { Command } from "commander";

/** Gives a sub-command its options, arguments, sub-commands and action. */
export type DefineCommand = (command: Command) => void;

/** A sub-command of `footfall`; its file is loaded only when it is called. */
export interface CliCommand {
	readonly name: string;
	readonly summary: string;
	readonly load: () => Promise<DefineCommand>;
}
