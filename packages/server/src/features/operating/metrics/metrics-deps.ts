/** How the collector's spool stands. */
interface SpoolState {
	readonly waitingBytes: number;
	/** Age of the oldest hit that waits; undefined when none does. */
	readonly waitingMs: number | undefined;
	readonly refused: { readonly rows: number; readonly damaged: number };
}

/** Sources of the figures. */
export interface MetricsDeps {
	readonly version: string;
	readonly roles: readonly string[];
	/** Hits since the start by what became of them; undefined when this process does not collect. */
	readonly hits: () => Readonly<Record<string, number>> | undefined;
	/** Undefined when this process does not collect. */
	readonly spool: () => SpoolState | undefined;
	/** Memory of the event store's process; undefined where there is none, or the system does not tell. */
	readonly storeBytes: () => Promise<number | undefined>;
	readonly diskFreeBytes: () => Promise<number>;
	/** Undefined where TLS belongs to a proxy; its end is in milliseconds since the Unix epoch, unknown while there is none. */
	readonly certificate: () => { readonly endsAt: number | undefined; readonly failures: number } | undefined;
	/** Rejects while the metadata store does not answer. */
	readonly accountsAnswer: () => Promise<void>;
	/** Whether Redis does not answer; undefined when this process does not collect. */
	readonly sessionsAway: () => boolean | undefined;
	/** The time of this process. */
	readonly clockMs: () => number;
	readonly jobs: () => Promise<readonly { readonly kind: string; readonly state: string; readonly count: number }[]>;
	/** 0 when none is due. */
	readonly jobDueSeconds: () => Promise<number>;
	/** The last backup that was to be made, and the last that was; undefined when none was ever to be. */
	readonly backups: () => Promise<
		| { readonly isFailed: boolean; readonly doneAtMs: number | undefined; readonly bytes: number | undefined }
		| undefined
	>;
	readonly deliveries: () => Promise<readonly { readonly state: string; readonly count: number }[]>;
}
