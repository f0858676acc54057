/** That all processes on one PostgreSQL are set up alike. */

export { checkClock, joinProcesses } from "./join-processes.ts";
