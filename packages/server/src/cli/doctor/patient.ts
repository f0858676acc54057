import type { Config } from "../../platform/config/config.ts";
import type { RunningService } from "../../platform/files/running-services.ts";
import type { Clock } from "../../platform/lib/clock.ts";
import type { Metadata } from "../../platform/metadata/metadata.ts";
import type { Finding } from "./finding.ts";

/** Input of the examinations. */
export interface Patient {
	/** Its `secretKey` is absent where no start has made one yet. */
	readonly config: Config;
	readonly clock: Clock;
	/** The service that runs on the data directory; undefined while none does. */
	readonly service: RunningService | undefined;
	/** The metadata store; undefined where it cannot be opened, or is not there yet. */
	readonly metadata: Metadata | undefined;
	/** Milliseconds that a server may take for an answer. */
	readonly answerMs: number;
	/** Whether to ask when each site was hit last, which takes a key that stands in the audit log. */
	readonly asksSites: boolean;
}

/** Looks at one thing. */
export type Examine = (patient: Patient) => Promise<readonly Finding[]>;
