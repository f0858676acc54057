/** States of an import with the states before them; other transitions are impossible. */
const reachedFrom = {
	pending: [],
	validating: ["pending", "validating"],
	validated: ["validating"],
	importing: ["validated", "importing"],
	completed: ["importing"],
	failed: ["pending", "validating", "validated", "importing"],
	cancelled: ["pending", "validating", "validated", "importing"],
	undone: ["completed", "failed"],
} as const satisfies Record<string, readonly string[]>;

/** The state of an import. */
export type ImportStatus = keyof typeof reachedFrom;

/** The names of all states. */
export const importStatuses = Object.keys(reachedFrom) as ImportStatus[];

/** The states that lead to another one. */
export const statesBefore = (status: ImportStatus): readonly ImportStatus[] => reachedFrom[status];

/** States in which an import is being worked on, or is going to be. */
export const workingStates = ["pending", "validating", "importing"] as const satisfies readonly ImportStatus[];

/** States in which an import has not ended. */
export const unfinishedStates = [...workingStates, "validated"] as const satisfies readonly ImportStatus[];
