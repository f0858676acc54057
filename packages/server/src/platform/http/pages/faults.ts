import type { ServiceError } from "../../errors/service-error.ts";

/** What is wrong in a form: sentences by the name of the field. */
export type Faults = Readonly<Record<string, string>>;

/** The faults that an error tells of; `labels` begins each sentence. Faults of other fields are left out. */
export function faultsOf(error: ServiceError, labels: Readonly<Record<string, string>>): Faults {
	const told = (error.detail ?? []).flatMap(({ field, message }) => {
		const name = field.replace(/^body\./, "");
		const label = labels[name];
		return label === undefined ? [] : [[name, `${label} ${message}.`] as const];
	});
	return Object.fromEntries(told);
}

/** True when something is wrong. */
export const hasFaults = (faults: Faults): boolean => Object.keys(faults).length > 0;
