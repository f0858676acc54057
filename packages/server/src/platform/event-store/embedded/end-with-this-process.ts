import type { ChildProcess } from "node:child_process";

const children = new Set<ChildProcess>();

const endAll = () => {
	for (const child of children) child.kill("SIGKILL");
};

/** Kills the child when this process ends, however it ends by itself: a stopped child would not see its parent go. */
export function endWithThisProcess(child: ChildProcess): void {
	if (children.size === 0) process.on("exit", endAll);
	children.add(child);
	child.once("exit", () => {
		children.delete(child);
		if (children.size === 0) process.off("exit", endAll);
	});
}
