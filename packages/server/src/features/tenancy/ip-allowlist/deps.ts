import type { ChangeDeps } from "../../auditing/audit-log/index.ts";
import type { AllowlistDirectory } from "./allowlist-directory.ts";
import type { AttemptLog } from "./attempt-log.ts";

export interface AllowlistDeps extends ChangeDeps {
	readonly allowlists: AllowlistDirectory;
	readonly attempts: AttemptLog;
}
