import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** The start of a running process, which differs from others with the same id. Undefined if none runs. */
export function processIdentity(pid: number): string | undefined {
	try {
		return process.platform === "linux" ? identityOnLinux(pid) : identityByPs(pid);
	} catch {
		return undefined;
	}
}

/** proc(5): behind the name, which may hold anything, state is the first field and the start in clock ticks the twentieth. */
function identityOnLinux(pid: number): string | undefined {
	const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	const [state = "", ticks = ""] = [fields[0], fields[19]];
	const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
	return isGone(state) ? undefined : `${boot} ${ticks}`;
}

function identityByPs(pid: number): string | undefined {
	const [state = "", ...began] = execFileSync("ps", ["-o", "state=,lstart=", "-p", String(pid)], { encoding: "latin1" })
		.trim()
		.split(/\s+/);
	return isGone(state) ? undefined : began.join(" ");
}

/** A process that has ended and whose parent has not yet asked for its end. */
const isGone = (state: string) => /^[ZX]/.test(state);
