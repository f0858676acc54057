import type { Command } from "commander";

/** Gives a sub-command its options, arguments, sub-commands and action. */
export type DefineCommand = (command: Command) => void;
