import type { ServiceError } from "../../errors/service-error.ts";
import { sentence } from "./form-fields.ts";

/** Errors of a form: sentences by field name. */
export type Faults = Readonly<Record<string, string>>;

/** The field errors of an error; `labels` starts each sentence. Faults of other fields are left out. */
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

/** Errors of a returned form. */
export interface FormTrouble {
	readonly faults?: Faults;
	readonly error?: string;
}

/** True when a form comes back with something to correct. */
export const isTroubled = ({ faults = {}, error }: FormTrouble): boolean => error !== undefined || hasFaults(faults);

/** Errors of a refusal for a form: at its fields where they belong to one, else above it; `labels` begins each sentence. */
export function troubleOf(
	refusal: ServiceError | undefined,
	labels: Readonly<Record<string, string>> = {},
): FormTrouble {
	if (refusal === undefined) return {};
	const faults = faultsOf(refusal, labels);
	return hasFaults(faults) ? { faults } : { error: sentence(refusal.message) };
}
