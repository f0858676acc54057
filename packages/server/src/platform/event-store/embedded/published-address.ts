import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StoreAddress } from "../client/store-client.ts";
import { processIdentity } from "./process-identity.ts";

/** Where a store process is reached, for other processes of this user on this machine. */
export interface Published {
	readonly pid: number;
	readonly began: string | undefined;
	readonly address: StoreAddress;
}

/** The file by which processes of one data directory find the store process that one of them runs. */
export type PublishedAddress = ReturnType<typeof publishedAddress>;

/** The file lies in the run directory, which only this user can read: the address holds the secret of the store process. */
export function publishedAddress(runDirectory: string) {
	const path = join(runDirectory, "address.json");
	let last: { readonly text: string; readonly published: Published } | undefined;
	return {
		write(pid: number, address: StoreAddress) {
			const published: Published = { pid, began: processIdentity(pid), address };
			writeFileSync(`${path}.part`, JSON.stringify(published), { mode: 0o600 });
			renameSync(`${path}.part`, path);
		},
		/** The published content; the same object while it is unchanged, and undefined if there is none. */
		read() {
			const text = readText(path);
			if (text === undefined) return undefined;
			if (last?.text !== text) last = { text, published: JSON.parse(text) as Published };
			return last.published;
		},
		remove: () => rmSync(path, { force: true }),
	};
}

/** False for what a process has left that was killed. */
export const isRunning = ({ pid, began }: Published): boolean => began !== undefined && processIdentity(pid) === began;

function readText(path: string): string | undefined {
	try {
		return readFileSync(path, "utf8");
	} catch {
		return undefined;
	}
}
