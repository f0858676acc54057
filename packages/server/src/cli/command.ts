import type { Command } from "commander";

export type DefineCommand = (command: Command) => void;
