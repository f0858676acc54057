/** That all processes on one PostgreSQL have the same secret. */

export { acceptSecret, compareSecret, noteSecret } from "./store.ts";
