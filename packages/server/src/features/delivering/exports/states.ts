/** States of an export with the states before them; other transitions are impossible. */
const reachedFrom = {
	pending: [],
	estimating: ["pending"],
	generating: ["estimating"],
	completed: ["generating"],
	failed: ["generating"],
	expired: ["completed"],
} as const satisfies Record<string, readonly string[]>;

/** The state of an export. */
export type ExportStatus = keyof typeof reachedFrom;

/** The names of all states. */
export const exportStatuses = Object.keys(reachedFrom) as ExportStatus[];

/** The states that lead to another one. */
export const statesBefore = (status: ExportStatus): readonly ExportStatus[] => reachedFrom[status];

/** States in which an export takes one of the places of its plan. */
export const workingStates = ["pending", "estimating", "generating"] as const satisfies readonly ExportStatus[];

/** States in which an export may be removed. */
export const removableStates = ["pending", "completed", "failed", "expired"] as const satisfies readonly ExportStatus[];
