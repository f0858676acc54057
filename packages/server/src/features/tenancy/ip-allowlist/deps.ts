import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { AllowlistDirectory } from "./allowlist-directory.ts";
import type { AttemptLog } from "./attempt-log.ts";

export interface AllowlistDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	readonly allowlists: AllowlistDirectory;
	readonly attempts: AttemptLog;
}
