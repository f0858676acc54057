/** The documentation as a site, below `/help`. */
export { type Help, readHelp } from "./built-help.ts";
export { registerHelp } from "./routes.ts";
