import { cpus, totalmem } from "node:os";

/** One line on where the figures come from. */
export function describeMachine(): string {
	const processors = cpus();
	const model = processors[0]?.model.trim() ?? "unknown processor";
	const memory = (totalmem() / 1024 ** 3).toFixed(0);
	return `${processors.length} cores (${model}), ${memory} GiB memory, ${process.platform} ${process.arch}, Node ${process.version}`;
}
