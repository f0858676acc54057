/** Bot statistics: how suspicious the hits of a site are, those that reports leave out included. */

export { registerBotStats } from "./routes.ts";
