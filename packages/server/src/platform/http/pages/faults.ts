import type { ServiceError } from "../../errors/service-error.ts";
import { sentence } from "./form-fields.ts";

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

/** What is wrong with a form that comes back. */
export interface FormTrouble {
	readonly faults?: Faults;
	/** What is wrong with no field in particular. */
	readonly error?: string;
}

/** True when a form comes back with something to correct. */
export const isTroubled = ({ faults = {}, error }: FormTrouble): boolean => error !== undefined || hasFaults(faults);

/** What a form is told of a refusal: at its fields when it is theirs, else above it; `labels` begins each sentence. */
export function troubleOf(
	refusal: ServiceError | undefined,
	labels: Readonly<Record<string, string>> = {},
): FormTrouble {
	if (refusal === undefined) return {};
	const faults = faultsOf(refusal, labels);
	return hasFaults(faults) ? { faults } : { error: sentence(refusal.message) };
}
