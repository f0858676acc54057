// Loaded before the service by a drill: makes writes and syncs of the main process slow or failing, as a file says.
// Real slow or broken disks need rights and devices that most machines lack; the calls of the process are the next best
// place.

import fs, { readFileSync } from "node:fs";
import module from "node:module";

/** `slow 300`: so many milliseconds a sync; `fail EROFS`: writes and syncs end with it; anything else: as ever. */
function mood(): { readonly ms: number; readonly fails: string | undefined } {
	let text = "";
	try {
		text = readFileSync(process.env.UNSTEADY_DISK ?? "", "utf8");
	} catch {
		// No file, no mood.
	}
	const [word, value] = text.trim().split(" ");
	return { ms: word === "slow" ? Number(value) : 0, fails: word === "fail" ? value : undefined };
}

type Callback = (error: Error | null, ...rest: unknown[]) => void;

function unsteady(real: (...args: never[]) => void, isSync: boolean) {
	return (...args: unknown[]) => {
		const { ms, fails } = mood();
		const [file] = args;
		const done = args.at(-1) as Callback;
		const call = () => Reflect.apply(real, fs, args as never[]);
		// Standard output and error are no files of the disk.
		if (typeof file !== "number" || file < 3) call();
		else if (fails !== undefined) setImmediate(done, Object.assign(new Error(fails), { code: fails }));
		else if (isSync && ms > 0) setTimeout(call, ms);
		else call();
	};
}

fs.write = unsteady(fs.write, false) as typeof fs.write;
fs.fdatasync = unsteady(fs.fdatasync, true) as typeof fs.fdatasync;
fs.fsync = unsteady(fs.fsync, true) as typeof fs.fsync;
module.syncBuiltinESMExports();
