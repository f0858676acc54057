import type { Config } from "./config.ts";

/** Something that a process can do. */
export type Role = Config["roles"][number];

/** Every role. */
export const allRoles: readonly Role[] = ["collect", "api", "jobs"];

/** True for a process that does everything itself; another one leaves something to others. */
export const isWhole = ({ roles }: Pick<Config, "roles">): boolean => allRoles.every((role) => roles.includes(role));

/** True if other processes may work on the same accounts and cannot see this process's memory. */
export const mayHavePeers = (config: Pick<Config, "roles" | "databaseUrl">): boolean =>
	config.databaseUrl !== undefined || !isWhole(config);
