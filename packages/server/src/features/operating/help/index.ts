/** The documentation as a site, below `/help`. */
export { type Help, readHelp, registerHelp } from "./routes.ts";
